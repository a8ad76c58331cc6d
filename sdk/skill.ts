/** Generates a skill's text when it is read; a skill with a `file` needs none (interfaces 4). */
export type SkillHandler = () => string | Promise<string>
