import { hash as hashOf } from 'node:crypto'

/**
 * What an event of one stream has to have in another. `sale`: a payment, the session that it pays for. `charge`: the payment
 * of a renewal, the attempt to charge for it. `credit`: money of a payment, the session or mandate that it came by.
 * `settlement`: a confirmed payment, the session that it covers. `confirmation`: a paid period or a completed checkout, its
 * payment. `plan`: a subscription, the checkout that sold it. `claim`: a refund or payout, the money that was claimed for
 * it. `refund`: a refunded payment, its refund. `order`: money that is to go out, what asks for it. `sending`: a refund,
 * payout or return that is paid, the movement that paid it.
 */
export type LinkRule =
  | 'sale'
  | 'charge'
  | 'credit'
  | 'settlement'
  | 'confirmation'
  | 'plan'
  | 'claim'
  | 'refund'
  | 'order'
  | 'sending'

/** What is wrong where the other stream does not say it. */
export const linkProblems: Readonly<Record<LinkRule, string>> = {
  sale: 'no session has this payment for this price',
  charge: 'no subscription has attempted this charge',
  credit: 'neither its session nor its mandate has brought this money from this payer',
  settlement: 'its session is not settled by this payment and amount',
  confirmation: 'its payment is not confirmed for this amount by this transaction',
  plan: 'its checkout has sold no such subscription',
  claim: 'nothing was claimed for this money and receiver',
  refund: 'no refund of this payment has succeeded',
  order: 'nothing asks for this money to go to this receiver',
  sending: 'no movement of its money is settled by this transaction',
}

// 132 bits.
const hashLength = 22

/** One thing that two streams say of each other. `hash` is of the words: equal exactly where both agree, and short to hold. */
export type Link = { readonly rule: LinkRule; readonly hash: string }

export const link = (rule: LinkRule, ...words: ReadonlyArray<string | number | bigint | null>): Link => ({
  rule,
  hash: hashOf('sha256', `${rule} ${words.join(' ')}`, 'base64').slice(0, hashLength),
})

/** What an event says that other streams may need, and what it needs of them. */
export type Linked = { readonly says?: ReadonlyArray<Link>; readonly needs?: ReadonlyArray<Link> }

export const unlinked: Linked = {}
