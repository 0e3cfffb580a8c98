import { randomBytes } from 'node:crypto'
import { signedHeaders } from '@quittance/billing/testing/internals'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import type { Comparison } from '../comparing/comparison.ts'
import { perSecond } from '../comparing/run.ts'
import { sampleEvent } from '../sample-events.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const body = JSON.stringify({ id: 'evt_1', type: 'payment.confirmed', data: sampleEvent(1) })

type Receiver = { readonly verify: (text: string, headers: Record<string, string>) => unknown }
type Signer = Receiver & { readonly sign: (id: string, at: Date, text: string) => string }

const round = (count: number, headers: () => Record<string, string>, { verify }: Receiver): Promise<number> =>
  perSecond(count, async () => {
    for (let n = 0; n < count; n += 1) verify(body, headers())
  })

const signatures = (name: string, peer: string, open: () => Signer): Comparison => ({
  name,
  file: 'webhook-signatures.ts',
  measures: `Signing a delivery of ${body.length} bytes, and verifying it as a receiver does. Ours makes all headers of a delivery with its function and verifies with \`standardwebhooks\`, as our examples do; the peer signs and verifies by itself.`,
  unit: 'deliveries per second',
  ours: 'headers of a delivery',
  peer,
  packages: ['standardwebhooks', 'svix'],
  aim: { _tag: 'none' },
  missedBecause: null,
  open: async ({ amount }) => {
    const count = amount(40_000)
    const receiver = new Webhook(secret)
    const theirs = open()
    const byPeer = () => {
      const at = new Date()
      return {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': theirs.sign('evt_1', at, body),
      }
    }
    return {
      ours: () =>
        round(count, () => ({ ...signedHeaders('evt_1', Date.now(), body, [secret]) }), {
          verify: (text, headers) => receiver.verify(text, headers),
        }),
      peer: () => round(count, byPeer, { verify: (text, headers) => theirs.verify(text, headers) }),
      close: async () => undefined,
    }
  },
})

export const signaturesBesideStandardWebhooks = signatures(
  'webhook-signatures',
  'standardwebhooks',
  () => new Webhook(secret),
)
export const signaturesBesideSvix = signatures('webhook-signatures-svix', 'svix', () => new SvixWebhook(secret))
