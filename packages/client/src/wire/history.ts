import * as t from 'io-ts'
import { orNull, says } from './codecs.ts'
import { objectOf } from './fields.ts'
import { count, id, oneOf, timestamp } from './values.ts'

const HistoryCause = t.type(
  {
    type: says(
      'Another entry (`event`), a request of the actor, what a closed ledger holds, a time that had come, or a step of the service itself.',
      oneOf('event', 'request', 'ledger', 'clock', 'service'),
    ),
    entry_id: says('The entry of this history that has caused it.', orNull(t.string)),
  },
  'HistoryCause',
)

const HistoryRate = t.type(
  {
    pair: says('One of the first is so many of the second.', t.string),
    rate: says('The rate as its source gave it.', t.string),
    source: says('Who gave it.', t.string),
    observed_at: says('When it was read.', timestamp),
  },
  'HistoryRate',
)

const HistoryDelivery = t.type(
  {
    id: id('dlv_'),
    webhook_id: says('The endpoint.', id('wh_')),
    event_id: says('The `webhook-id` of every attempt.', id('evt_')),
    event_type: says('The type of the event.', t.string),
    status: says('How far it is.', oneOf('pending', 'delivered', 'exhausted')),
    attempts: says('How often it was sent.', count),
    last_attempt_at: says('When it was last sent.', orNull(timestamp)),
  },
  'HistoryDelivery',
)

/** One event of a history: what happened, why, and where that can be checked. */
export const HistoryEntry = t.type(
  {
    id: says('The id of the event in the log.', t.string),
    object: objectOf('history_entry'),
    resource: says(
      'What it happened to.',
      t.type({ object: says('Its kind.', t.string), id: says('Its id.', t.string) }, 'HistoryResource'),
    ),
    type: says('The type of the event in the log.', t.string),
    revision: says("Its place in its resource's own stream, from 0.", count),
    occurred_at: says('When it happened.', timestamp),
    recorded_at: says('When the log recorded it.', timestamp),
    actor: says(
      'Who did it: a key, a member of the team, `customer`, `payer`, `operator`, or the service itself (`process`).',
      t.string,
    ),
    actor_type: says(
      'What kind of actor that is.',
      oneOf('api_key', 'member', 'customer', 'payer', 'operator', 'service', 'person'),
    ),
    what: says('What happened, in a sentence for people. Its words may change.', t.string),
    why: says('Why, where that is known, in words for people.', orNull(t.string)),
    cause: says('What it follows from.', HistoryCause),
    status: says('The status of its resource afterwards.', orNull(t.string)),
    price: says(
      'The price in its currency.',
      orNull(
        t.type(
          { amount: says('In base units, as a decimal.', t.string), currency: says('By ISO 4217.', t.string) },
          'HistoryPrice',
        ),
      ),
    ),
    rates: says('What the price was converted by.', t.readonlyArray(HistoryRate)),
    amount: says('What moved on the ledger, or was to move, with the code of its asset.', orNull(t.string)),
    amount_stroops: says('The same in stroops.', orNull(t.string)),
    asset_id: says('The asset, with its issuer.', orNull(t.string)),
    transaction_hash: says('The transaction on the ledger.', orNull(t.string)),
    ledger: says('The number of the closed ledger that holds it.', orNull(count)),
    command_id: says('The command that recorded it; one may record several.', t.string),
    correlation_id: says('What was recorded for one request or trace has the same.', t.string),
    causation_id: says('What the event itself names as its cause.', orNull(t.string)),
    hash: says("SHA-256 over it and the hash before it in its resource's own stream.", t.string),
    deliveries: says('The webhooks that told of it, if their deliveries are kept.', t.readonlyArray(HistoryDelivery)),
  },
  'HistoryEntry',
)
export type HistoryEntry = t.TypeOf<typeof HistoryEntry>
