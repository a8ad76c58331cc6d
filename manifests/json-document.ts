import type { DocumentNode, MemberNode, ValueNode } from '@humanwhocodes/momoa'
import type { Diagnostic } from './diagnostic.ts'
import { type Finding, type Path, pathText } from './finding.ts'
import { explainRawControl, explainSyntaxError, type SyntaxFault } from './json-syntax-error.ts'
import { deepestNesting, type JsonScan, largestText, scanJson } from './scan-json.ts'
import { createTextPlaces, type TextPlace } from './text-place.ts'

/** A parsed text that remembers where everything stood. */
export interface JsonDocument {
  readonly value: unknown
  /** Turns findings about the value into diagnostics about the text. */
  diagnose(findings: readonly Finding[]): Diagnostic[]
}

/** A document, or why there is none; a document may come with findings (a key that stands twice). */
export interface JsonReading {
  readonly document?: JsonDocument
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads JSON with comments, trailing commas and a byte order mark (interfaces 4), within bounds of size and depth.
 * Never throws.
 */
export async function readJsonDocument(text: string, file: string): Promise<JsonReading> {
  const scan = scanJson(text)
  const refused = refuseByBounds(text, scan)
  if (refused !== undefined) return { diagnostics: [{ severity: 'error', file, path: '', ...refused }] }
  const { parse } = await import('@humanwhocodes/momoa')
  const place = createTextPlaces(text)
  const report = ({ offset, message, hint }: SyntaxFault): JsonReading => ({
    diagnostics: [{ severity: 'error', code: 'AMB1003', file, path: '', ...place(offset, 1), message, hint }],
  })
  try {
    // The mark becomes a blank, so that offsets stay those of the text.
    const tree = parse(text.replace(/^\uFEFF/, ' '), {
      mode: 'jsonc',
      ranges: true,
      allowTrailingCommas: true,
    })
    return scan.rawControl === undefined
      ? createReading(tree, { file, place })
      : report(explainRawControl(scan.rawControl, text))
  } catch (thrown) {
    return report(explainSyntaxError(thrown, text))
  }
}

type Bound = Pick<Diagnostic, 'code' | 'message' | 'hint' | 'line' | 'column'>

function refuseByBounds(text: string, scan: JsonScan): Bound | undefined {
  const start = { line: 1, column: 1 }
  if (text.length > largestText) {
    const message = `the file is larger than ${largestText.toLocaleString('en')} characters`
    return {
      ...start,
      code: 'AMB1001',
      message,
      hint: 'texts belong in files of their own, which this one names',
    }
  }
  if (text.replace(/^\uFEFF/, '').trim() === '') {
    return { ...start, code: 'AMB1002', message: 'the file is empty', hint: 'the least it may hold is {}' }
  }
  if (scan.depth <= deepestNesting) return undefined
  const message = `the text is nested more than ${deepestNesting} levels deep`
  return { ...start, code: 'AMB1004', message, hint: 'flatten it' }
}

interface Source {
  readonly file: string
  readonly place: (offset: number, length: number) => TextPlace
}

function createReading(tree: DocumentNode, source: Source): JsonReading {
  const findings: Finding[] = []
  const twins = new Map<Finding, MemberNode>()
  const value = evaluate(tree.body, [], (finding, member) => {
    findings.push(finding)
    twins.set(finding, member)
  })
  const diagnose = (list: readonly Finding[]): Diagnostic[] =>
    list.map((finding) =>
      toDiagnostic(finding, twins.get(finding)?.name ?? locate(tree.body, finding), source),
    )
  return { document: { value, diagnose }, diagnostics: diagnose(findings) }
}

function toDiagnostic(finding: Finding, node: Ranged, { file, place }: Source): Diagnostic {
  const [start, end] = node.range ?? [0, 1]
  // An object or list is pointed at by its bracket, not underlined over many lines.
  const at = place(start, node.type === 'Object' || node.type === 'Array' ? 1 : end - start)
  const { severity, code, message, hint } = finding
  const base = { severity, code, file, ...at, path: pathText(finding.path), message }
  return hint === undefined ? base : { ...base, hint }
}

type Ranged = { readonly type: string; readonly range?: [number, number] }

/** The node at a finding's path, or its nearest ancestor that is in the text. */
function locate(root: ValueNode, finding: Finding): Ranged {
  let node = root
  for (const step of finding.path) {
    const child = typeof step === 'number' ? elementOf(node, step) : memberOf(node, step)?.value
    if (child === undefined) return node
    node = child
  }
  if (finding.key === undefined) return node
  return memberOf(node, finding.key)?.name ?? node
}

function elementOf(node: ValueNode, index: number): ValueNode | undefined {
  return node.type === 'Array' ? node.elements[index]?.value : undefined
}

function memberOf(node: ValueNode, key: string): MemberNode | undefined {
  if (node.type !== 'Object') return undefined
  return node.members.findLast((member) => nameOf(member) === key)
}

function nameOf(member: MemberNode): string {
  return member.name.type === 'String' ? member.name.value : member.name.name
}

type Report = (finding: Finding, member: MemberNode) => void

function evaluate(node: ValueNode, path: Path, report: Report): unknown {
  if (node.type === 'Array') {
    return node.elements.map((element, index) => evaluate(element.value, [...path, index], report))
  }
  if (node.type === 'Object') return evaluateObject(node.members, path, report)
  return node.type === 'String' || node.type === 'Number' || node.type === 'Boolean' ? node.value : null
}

function evaluateObject(members: readonly MemberNode[], path: Path, report: Report): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const member of members) {
    const key = nameOf(member)
    const finding = refuseKey(key, path, object)
    if (finding !== undefined) report(finding, member)
    if (key !== '__proto__') object[key] = evaluate(member.value, [...path, key], report)
  }
  return object
}

function refuseKey(key: string, path: Path, object: object): Finding | undefined {
  const shared = { severity: 'error', path, key } as const
  if (key === '__proto__') {
    const message = 'the key "__proto__" is never accepted'
    return { ...shared, code: 'AMB1006', message, hint: 'choose another name' }
  }
  if (!Object.hasOwn(object, key)) return undefined
  const message = `the key ${JSON.stringify(key)} stands twice in this object`
  return { ...shared, code: 'AMB1005', message, hint: 'only the last one would count: remove one of them' }
}
