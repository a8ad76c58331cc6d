/** The greeting of a name; of nobody, the world's (contract CMD-7). */
export function greeting(name: string | undefined): string {
  return `Hello, ${name?.trim() || 'world'}!`
}
