import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from './config.ts'

const eventStoreIn = (text: string | undefined) =>
  E.map(({ eventStore }: { readonly eventStore: string | null }) => eventStore)(
    configFrom({ QUITTANCE_EVENT_STORE: text }),
  )

describe('the event store of a configuration', () => {
  it.each([undefined, '', 'sqlite'])('is a file of the data directory by default: %j', (text) => {
    expect(eventStoreIn(text)).toEqual(E.right(null))
  })

  it.each(['esdb://127.0.0.1:2113?tls=false', 'esdb+discover://a:b@nodes.example.org:2113', 'kurrentdb://one,two'])(
    'is the server of a connection string: %s',
    (text) => expect(eventStoreIn(text)).toEqual(E.right(text)),
  )

  it.each(['postgres://a:secret@db', 'esdb://', 'SQLite', 'a esdb://b'])(
    'is nothing else, and the complaint does not repeat what may be a secret: %s',
    (text) => {
      const expected = 'sqlite or a connection string (esdb://… or esdb+discover://…)'
      expect(eventStoreIn(text)).toEqual(E.left([{ variable: 'QUITTANCE_EVENT_STORE', expected }]))
    },
  )
})
