import { allowance } from './allowance.ts'
import { command } from './command.ts'
import type { Kind } from './contribution.ts'
import type { KindDefinition } from './kind.ts'
import { panel } from './panel.ts'
import { promptBlock } from './prompt-block.ts'
import { provider } from './provider.ts'
import { searchBackend } from './search-backend.ts'
import { skill } from './skill.ts'
import { statusSegment } from './status-segment.ts'
import { tool } from './tool.ts'
import { wallet } from './wallet.ts'

/** Every kind; the compiler finds what a new one lacks. */
export const KINDS: { readonly [K in Kind]: KindDefinition<K> } = {
  tool,
  promptBlock,
  statusSegment,
  panel,
  command,
  provider,
  wallet,
  allowance,
  searchBackend,
  skill,
}

/** The kinds in the order in which a plugin's contributions are installed and listed. */
export const KIND_ORDER: readonly Kind[] = [
  'tool',
  'promptBlock',
  'statusSegment',
  'panel',
  'command',
  'provider',
  'wallet',
  'allowance',
  'searchBackend',
  'skill',
]
