import type { Hold, HoldDecision } from './events.ts'

export type HoldMoney = { readonly type: 'HoldMoney' } & Hold

/** Also about what is not held: then the list is not asked about it. */
export type DecideHold = { readonly type: 'DecideHold' } & HoldDecision

/** What may be asked of a screening. */
export type ScreeningCommand = HoldMoney | DecideHold
