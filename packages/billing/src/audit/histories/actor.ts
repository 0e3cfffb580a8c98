import { ApiKeyId, MemberId } from '@quittance/domain'
import { processActor } from '../../kernel/step-context.ts'

/** Who gave the command of an event. */
export type Actor = {
  readonly type: 'api_key' | 'member' | 'customer' | 'payer' | 'operator' | 'service' | 'person'
  /** As the log has it: the id of a key or a member, a name that an operator gave, or the kind itself. */
  readonly id: string
}

const kinds: Readonly<Record<string, Actor['type']>> = {
  [processActor]: 'service',
  customer: 'customer',
  operator: 'operator',
  payer: 'payer',
}

export const actorOf = (actor: string): Actor => ({
  type: ApiKeyId.is(actor) ? 'api_key' : MemberId.is(actor) ? 'member' : (kinds[actor] ?? 'person'),
  id: actor,
})
