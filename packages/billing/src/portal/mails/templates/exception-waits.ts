import type { Letter } from '../letter.ts'

/** To the merchant. It names nobody: mails are kept by many servers. */
export const exceptionLetter = (amount: string, kind: string, id: string): Letter => ({
  subject: `${amount} waits for your decision`,
  paragraphs: [
    `A payment of ${amount} has come that fits no sale (${kind}). It is ${id}.`,
    'Return it, keep it, or apply it to a sale: GET /exceptions shows it, and POST /exceptions/{id}/resolve decides.',
  ],
})
