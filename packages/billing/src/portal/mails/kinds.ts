import type { EventType } from '@quittance/domain'

const recipients = {
  'payment.confirmed': 'customer',
  'subscription.trial_will_end': 'customer',
  'subscription.renewal_upcoming': 'customer',
  'subscription.past_due': 'customer',
  'subscription.overdue': 'customer',
  'subscription.authorization_expiring': 'customer',
  'subscription.canceled': 'customer',
  'exception.opened': 'merchant',
} as const satisfies Partial<Record<EventType, 'customer' | 'merchant'>>

/** A public event of which somebody is told by mail. */
export type MailedType = keyof typeof recipients

const isMailedType = (type: EventType): type is MailedType & EventType => Object.hasOwn(recipients, type)

/** Who is told of a public event by mail; null for nobody. */
export const recipientOf = (type: EventType): 'customer' | 'merchant' | null =>
  isMailedType(type) ? recipients[type] : null

/** The mailed type of a public event; null for all others. */
export const mailedType = (type: EventType): MailedType | null => (isMailedType(type) ? type : null)
