import * as t from 'io-ts'
import { Environment } from '../shared/environment.ts'
import { fact, facts } from '../shared/fact.ts'
import { strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/**
 * Money that does not move, because the list of a screening names its `address`. `subject`: the refund (`rf_…`), return
 * (`ret_…`) or payout (`po_…`) that would pay it, or the subscription (`sub_…`) that would charge it.
 */
export const Hold = strict(
  { subject: Text, merchantId: Text, environment: Environment, address: Text, at: UnixMs },
  'Hold',
)
export type Hold = t.TypeOf<typeof Hold>

/** `accept`: it moves, whatever the list says; `return`: it is never sent; `keep`: it stays held. */
export const HoldAction = t.keyof({ accept: null, return: null, keep: null }, 'HoldAction')
export type HoldAction = t.TypeOf<typeof HoldAction>

/** What the operator decides about a subject. */
export const HoldDecision = strict(
  { subject: Text, action: HoldAction, by: Text, reason: Text, at: UnixMs },
  'HoldDecision',
)
export type HoldDecision = t.TypeOf<typeof HoldDecision>

/** What happens to a screening, as its stream holds it. */
export const ScreeningEvent = facts([fact('MoneyHeld', Hold), fact('HoldDecided', HoldDecision)])
export type ScreeningEvent = t.TypeOf<typeof ScreeningEvent>
