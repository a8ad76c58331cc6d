// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The tools that read, list and write skills, and the lines that tell the model which there are. */
export interface ToolSkills {
  tools: {
    /** Loads the instructions of a skill, by its name. */
    "read_skill": { arguments: ReadSkillArguments; approval: "never" }
    /** Lists skills as name and description; can be narrowed by part of a name and by origin. */
    "list_skills": { arguments: ListSkillsArguments; approval: "never" }
    /** Writes a skill for later use, or replaces one that was written so: instructions that a later conversation can load by name. */
    "write_skill": { arguments: WriteSkillArguments; approval: "always" }
  }
  promptBlocks: "tool_skills"
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}

/**
 * Arguments of the tool read_skill.
 */
export interface ReadSkillArguments {
/**
 * The skill's name, as listed.
 */
name: string
}

/**
 * Arguments of the tool list_skills.
 */
export interface ListSkillsArguments {
/**
 * Part of the name.
 */
name?: string
/**
 * Where it comes from.
 */
origin?: ("user" | "workspace" | "plugin")
}

/**
 * Arguments of the tool write_skill.
 */
export interface WriteSkillArguments {
/**
 * Small letters and digits, words joined by hyphens.
 */
name: string
/**
 * What it is for and when to use it; this line alone is seen beforehand.
 */
description: string
/**
 * The instructions, in Markdown.
 */
body: string
/**
 * project: this workspace; global: everywhere. Default: project.
 */
scope?: ("project" | "global")
}
