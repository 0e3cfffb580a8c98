import { Webhook } from 'standardwebhooks'

/**
 * The headers of an attempt by Standard Webhooks. `at` is wall-clock time (Unix milliseconds), since receivers compare
 * it with theirs; each secret (`whsec_…`) signs, the newest first.
 */
export const signedHeaders = (
  id: string,
  at: number,
  body: string,
  secrets: ReadonlyArray<string>,
): Readonly<Record<string, string>> => {
  const moment = new Date(at)
  return {
    'content-type': 'application/json',
    'user-agent': 'quittance',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, moment, body)).join(' '),
  }
}
