/** What names in a manifest are made of; the dot is for paths of commands. */
type Character =
  | Letter
  | Uppercase<Letter>
  | ('0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9')
  | ('_' | '-' | '.')

type Letter =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z')

/** A declared name, cut in two after some of its characters. */
interface Cut {
  readonly head: string
  readonly tail: string
}

type Cuts<Name extends string> = Name extends string ? { readonly head: ''; readonly tail: Name } : never

/** All cuts, one character further on; names that end here are done. */
type Further<Cuts extends Cut> = Cuts extends {
  readonly head: infer Head extends string
  readonly tail: `${infer Next}${infer Tail}`
}
  ? { readonly head: `${Head}${Next}`; readonly tail: Tail }
  : never

type First<Text extends string> = Text extends `${infer Start}${string}` ? Start : never

/** Names that share a head with declared ones and go on with a character that none of those has there. */
type AstrayAfter<Cuts extends Cut, Head extends string> = Head extends string
  ? `${Head}${Exclude<Character, First<Extract<Cuts, { readonly head: Head }>['tail']>>}${string}`
  : never

/** Twelve characters tell names apart; more would cost the compiler more than they find. */
type Depth = 12

type Walk<Cuts extends Cut, Found extends string, Steps extends readonly unknown[]> = [Cuts] extends [never]
  ? Found
  : Steps['length'] extends Depth
    ? Found
    : Walk<Further<Cuts>, Found | AstrayAfter<Cuts, Cuts['head']>, [...Steps, 0]>

/** The type of what `plugin.json` does not declare: nothing has it. */
export interface NotDeclaredInPluginJson {
  readonly 'declare it in plugin.json, or remove it here': never
}

/**
 * Refuses every key but the given ones (contract MAN-4). The compiler looks for surplus keys only where an object is
 * written straight into its type, which what a function returns is not; so all other names are spelt out as patterns.
 */
export type NoStrays<Name extends string> = string extends Name
  ? unknown
  : { readonly [Stray in Walk<Cuts<Name>, never, []>]: NotDeclaredInPluginJson }
