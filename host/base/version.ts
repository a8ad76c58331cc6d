import about from '../../package.json' with { type: 'json' }

/** The running amber's version, a semantic version. */
export const AMBER_VERSION: string = about.version
