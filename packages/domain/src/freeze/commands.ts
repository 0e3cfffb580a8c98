import type { Closing, FreezeDecision } from './events.ts'

export type Freeze = { readonly type: 'Freeze' } & FreezeDecision
export type Unfreeze = { readonly type: 'Unfreeze' } & FreezeDecision

export type BeginClosing = { readonly type: 'BeginClosing' } & Closing

/** What may be asked of a freeze. */
export type FreezeCommand = Freeze | Unfreeze | BeginClosing
