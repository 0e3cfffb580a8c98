import type { SubscriptionFacts } from '../facts.ts'
import type { Letter } from '../letter.ts'

const renewedApproval = (url: string | null): NonNullable<Letter['link']> | null =>
  url === null ? null : { label: 'Approve the payment', url }

/** While it is tried again, and with an invoice once it is not. */
export const paymentFailedLetter = (facts: SubscriptionFacts): Letter => {
  const { merchant, product, price, triesAgainOn, accessUntil, invoiceUrl, signUrl } = facts
  const again = triesAgainOn === null ? 'It is tried again' : `It is tried again on ${triesAgainOn} at the latest`
  const isTried = invoiceUrl === null
  return {
    subject: `Your payment to ${merchant} failed`,
    paragraphs: [
      `${price} for ${product} from ${merchant} could not be collected from your wallet.`,
      isTried
        ? `${again}. Please see that your wallet holds enough${signUrl === null ? '' : ', and approve the payment anew'}.`
        : 'It is not tried again. Please pay it yourself, from any wallet: then your subscription goes on.',
      ...(accessUntil === null ? [] : [`What you have paid for stays yours until ${accessUntil}.`]),
    ],
    link: isTried ? renewedApproval(signUrl) : { label: 'Pay now', url: invoiceUrl },
  }
}
