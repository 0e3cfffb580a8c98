import type { SubscriptionEvent } from '@quittance/domain'

/** What happens to a subscription that exists. */
export type LaterEvent = Exclude<SubscriptionEvent, { readonly type: 'SubscriptionStarted' }>

type ByType = { readonly [Event in LaterEvent as Event['type']]: Event['data'] }

/** The data of the first event of a type; undefined where there is none. */
export const dataOf = <Type extends keyof ByType>(
  events: ReadonlyArray<LaterEvent>,
  type: Type,
): ByType[Type] | undefined => {
  const isOfType = (event: LaterEvent): event is LaterEvent & { readonly type: Type; readonly data: ByType[Type] } =>
    event.type === type
  return events.find(isOfType)?.data
}
