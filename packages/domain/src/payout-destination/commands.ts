import type { UnixMs } from '../shared/units.ts'
import type { PayoutDestinationDetails } from './events.ts'

export type RegisterPayoutDestination = { readonly type: 'RegisterPayoutDestination' } & PayoutDestinationDetails

/** Its owner has signed a challenge that was made for it alone. */
export type ProvePayoutDestination = { readonly type: 'ProvePayoutDestination'; readonly at: UnixMs }

/** For ever: the same address is registered again under another id. */
export type RemovePayoutDestination = { readonly type: 'RemovePayoutDestination'; readonly at: UnixMs }

export type PayoutDestinationCommand = RegisterPayoutDestination | ProvePayoutDestination | RemovePayoutDestination
