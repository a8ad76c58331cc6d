import { AmberError } from '../../base/errors.ts'

/** What an id looks like (interfaces 4). */
const ID = /^[a-z][a-z0-9_]{0,39}$/

/** The usage error of an id that is none: the rule, and the nearest that is one. Undefined when it is one. */
export function faultOfId(id: string): AmberError | undefined {
  if (ID.test(id)) return undefined
  const rule = 'An id is lower-case letters, digits and _, a letter first, 40 characters at most.'
  return new AmberError('usage', `"${id}" is no plugin id. ${rule}`, `Write for example: ${suggestId(id)}`)
}

/** `./My Plugin!` as an id: `my_plugin`. */
function suggestId(text: string): string {
  const last = text.split(/[/\\]/).findLast((part) => /[a-z]/i.test(part)) ?? ''
  const words = last
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
  const id = words
    .replace(/^[^a-z]+/, '')
    .slice(0, 40)
    .replace(/_+$/, '')
  return ID.test(id) ? id : 'my_plugin'
}
