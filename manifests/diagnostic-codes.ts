/**
 * Every code that reading a file somebody wrote can give, with what it stands for. A code never changes its meaning;
 * one that is retired is not used again. 1xxx: the text could not be read as data. 2xxx: the data is not what it
 * should be. (3xxx, build and load, and 4xxx, run time, belong to the host.)
 */
export const diagnosticCodes = {
  AMB1001: 'the file is larger than amber reads',
  AMB1002: 'the file is empty',
  AMB1003: 'the text is not JSON',
  AMB1004: 'the text is nested too deeply',
  AMB1005: 'a key stands twice in one object',
  AMB1006: 'a key that amber never accepts',
  AMB2101: 'a value of the wrong type',
  AMB2102: 'a key is missing',
  AMB2103: 'a value that is not among the legal ones',
  AMB2104: 'an unknown key',
  AMB2105: 'a text of the wrong form',
  AMB2106: 'a number, text or list outside its bounds',
  AMB2107: 'a list holds the same thing twice',
  AMB2108: 'not an extension point',
  AMB2201: 'the version is not a semantic version',
  AMB2202: 'the engines range is not a semver range',
  AMB2203: 'the plugin is not made for this amber',
  AMB2204: 'a manifest version that this amber does not read',
  AMB2205: 'an older manifest was brought up to date in memory',
  AMB2206: 'two capabilities of one kind have one name',
  AMB2207: 'a wallet or allowance of a preset that is not the plugin’s own',
  AMB2208: 'a path that leaves the plugin’s folder',
  AMB2209: 'code is needed and no entry is declared',
  AMB2210: 'the parameters are not a valid JSON Schema',
  AMB2211: 'a reference that leaves the schema',
  AMB2212: 'a command that cannot work as declared',
  AMB2213: 'a declared file is not there',
  AMB2214: 'no types can be made of a schema',
  AMB2301: 'a server with neither or both of command and url',
} as const

/** One of {@link diagnosticCodes}. */
export type DiagnosticCode = keyof typeof diagnosticCodes
