import { ApiKeyId } from '@quittance/domain'
import { processActor } from '../../kernel/step-context.ts'

/** Who gave the command of an event. */
export type Actor = {
  readonly type: 'api_key' | 'customer' | 'payer' | 'operator' | 'service' | 'person'
  /** As the log has it: a key's id, a name that an operator gave, or the kind itself. */
  readonly id: string
}

const kinds: Readonly<Record<string, Actor['type']>> = {
  [processActor]: 'service',
  customer: 'customer',
  operator: 'operator',
  payer: 'payer',
}

export const actorOf = (actor: string): Actor => ({
  type: ApiKeyId.is(actor) ? 'api_key' : (kinds[actor] ?? 'person'),
  id: actor,
})
