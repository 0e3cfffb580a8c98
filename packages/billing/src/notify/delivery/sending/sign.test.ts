import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { signedHeaders } from './sign.ts'

const secret = (): string => `whsec_${randomBytes(32).toString('base64')}`
const [first, second, other] = [secret(), secret(), secret()]
const body = JSON.stringify({ id: 'evt_1', name: 'Zoë & Bjørn 🎈' })

describe.each([
  ['Standard Webhooks', Standard],
  ['Svix', Svix],
])('verification by the library of receivers: %s', (_, Receiver) => {
  it('receivers accept any body that is signed with the secret', () =>
    fc.assert(
      fc.property(fc.json(), (text) => {
        const headers = signedHeaders('evt_1', Date.now(), text, [first])
        expect(() => new Receiver(first).verify(text, headers)).not.toThrow()
      }),
    ))
  it('receivers accept the old and the new secret after a rotation', () => {
    const headers = signedHeaders('evt_1', Date.now(), body, [second, first])
    for (const known of [first, second]) expect(() => new Receiver(known).verify(body, headers)).not.toThrow()
  })
  it.each([
    ['another secret', body, {}, other],
    ['another body', `${body} `, {}, first],
    ['another id', body, { 'webhook-id': 'evt_2' }, first],
    ['another moment', body, { 'webhook-timestamp': `${Math.floor(Date.now() / 1000) - 60}` }, first],
  ])('receivers refuse a signature made for %s', (_, text, changed, known) => {
    const headers = { ...signedHeaders('evt_1', Date.now(), body, [first]), ...changed }
    expect(() => new Receiver(known).verify(text, headers)).toThrow(/signature/)
  })
  it('receivers refuse a signature that is five minutes old', () => {
    const headers = signedHeaders('evt_1', Date.now() - 301_000, body, [first])
    expect(() => new Receiver(first).verify(body, headers)).toThrow(/too old/)
  })
})
