import type { CommandHandler } from './command.ts'
import type { Declined } from './decline.ts'
import type { EventHandlers } from './events.ts'
import type { DisposeReason } from './host.ts'
import type { PanelHandler } from './panel.ts'
import type { AllowanceFetch, ProviderHandler, ProviderShape, WalletFetch } from './provider.ts'
import type { SearchBackendHandler } from './search.ts'
import type { SkillHandler } from './skill.ts'
import type { StatusSegmentRender } from './status.ts'
import type { NoStrays } from './stray.ts'
import type { ToolHandler, ToolShape } from './tool.ts'

/** What the type generator makes of a manifest: the names that need behaviour, by kind (contract MAN-4). */
export interface PluginShape {
  readonly tools: Readonly<Record<string, ToolShape>>
  /** Names of the blocks without a `file`. */
  readonly promptBlocks: string
  readonly statusSegments: string
  readonly panels: string
  /** Root to dotted leaf paths; `''` is the root itself. */
  readonly commands: Readonly<Record<string, string>>
  /** Keyed by the first preset's name; only those that need behaviour. */
  readonly providers: Readonly<Record<string, ProviderShape>>
  readonly wallets: string
  readonly allowances: string
  readonly searchBackends: string
  /** Names of the skills without a `file`. */
  readonly skills: string
  /** Whether `"activation": "startup"`, which `events` needs. */
  readonly events: boolean
}

/** A renderer of a prompt block; `''` contributes nothing (PRM-1). */
export type PromptBlockRender = () => string | Promise<string>

/** A section is required when the manifest declares something of its kind, and refused when it does not. */
type Section<Name extends string, Handlers> = [keyof Handlers] extends [never]
  ? { readonly [Key in Name]?: never }
  : { readonly [Key in Name]: Handlers & NoStrays<keyof Handlers & string> }

type Commands<Shape extends PluginShape> = {
  readonly [Root in keyof Shape['commands']]?: {
    readonly [Leaf in Shape['commands'][Root]]?: CommandHandler | Declined
  } & NoStrays<Shape['commands'][Root]>
} & NoStrays<keyof Shape['commands'] & string>

/** What the factory returns: behaviour for what the manifest declares, nothing else (MAN-4). */
export type PluginEntry<Shape extends PluginShape> = Section<
  'tools',
  { readonly [Name in keyof Shape['tools']]: ToolHandler<Shape['tools'][Name]> | Declined }
> &
  Section<'promptBlocks', { readonly [Name in Shape['promptBlocks']]: PromptBlockRender | Declined }> &
  Section<'statusSegments', { readonly [Name in Shape['statusSegments']]: StatusSegmentRender | Declined }> &
  Section<'panels', { readonly [Name in Shape['panels']]: PanelHandler | Declined }> &
  ([keyof Shape['commands']] extends [never]
    ? { readonly commands?: never }
    : { readonly commands?: Commands<Shape> }) &
  Section<
    'providers',
    { readonly [Name in keyof Shape['providers']]: ProviderHandler<Shape['providers'][Name]> | Declined }
  > &
  Section<'wallets', { readonly [Name in Shape['wallets']]: WalletFetch | Declined }> &
  Section<'allowances', { readonly [Name in Shape['allowances']]: AllowanceFetch | Declined }> &
  Section<'searchBackends', { readonly [Name in Shape['searchBackends']]: SearchBackendHandler | Declined }> &
  Section<'skills', { readonly [Name in Shape['skills']]: SkillHandler | Declined }> &
  (Shape['events'] extends true ? { readonly events?: EventHandlers } : { readonly events?: never }) & {
    /** Called when this version ends (SWAP-4); what it hands over the next version finds at `host.handedOver`. */
    readonly dispose?: (
      reason: DisposeReason,
    ) => { readonly handedOver?: unknown } | void | Promise<{ readonly handedOver?: unknown } | void>
  }
