/**
 * The parts of undici that amber uses. A module of its own, because a bundled CommonJS package that is imported
 * dynamically keeps its names only behind a static import.
 */
export { Agent, EnvHttpProxyAgent, Pool, request } from 'undici'
