import { createHash } from 'node:crypto'
import { type NewEvent, TransactionHash, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { noEvents, sealEvent } from '@quittance/event-store'
import {
  leafOf,
  type NoteSignature,
  printCheckpoint,
  printNote,
  printVerifierKey,
  proveConsistency,
  proveInclusion,
} from '@quittance/transparency'
import { memoryTree } from '@quittance/transparency/testing/memory-tree'
import { cosignedBy, signedBy, testKey } from '@quittance/transparency/testing/test-key'
import { type Evidence, printEvidence, type ShownEvent } from '../audit/evidence/format.ts'
import { done } from './outcomes.ts'

export const logKey = testKey('log.example/a', 'ed25519', 1)
export const witnessKey = testKey('witness.example/w', 'cosignature/v1', 2)
export const strangerKey = testKey('log.example/a', 'ed25519', 3)

const start = unixMs(Date.UTC(2026, 10, 23))
const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString('base64')

/** An event as evidence shows it, with the hash that the log has of it. */
type Sealed = { readonly event: ShownEvent; readonly hash: string; readonly recordedAt: number }

const sealed = (stream: string, events: ReadonlyArray<Pick<NewEvent, 'type' | 'data'>>): ReadonlyArray<Sealed> => {
  let head = noEvents
  return events.map(({ type, data }, revision) => {
    const id = `${stream}/${revision}`
    const occurredAt = start + revision * 1000
    const command = { commandId: id, correlationId: id, causationId: null, actor: 'operator', occurredAt }
    const context = { ...command, merchantId: 'mer_0', environment: 'testnet' as const }
    const stored = sealEvent(head, stream, { id, type, schemaVersion: 1, data, context })
    head = { revision: BigInt(revision), hash: stored.hash }
    const event = { data, id, revision, schemaVersion: 1, stream, type, metadata: JSON.parse(stored.metadata) }
    return { event, hash: stored.hash, recordedAt: occurredAt + 7 }
  })
}

/** The memo of a transaction, between what an envelope has before and after it; no signature follows. */
const anchorXdr = (noteText: string): Buffer =>
  Buffer.concat([
    Buffer.of(0, 0, 0, 2, 9, 9, 9, 9, 0, 0, 0, 3),
    createHash('sha256').update(noteText).digest(),
    Buffer.of(0, 0, 0, 0),
  ])

const sha256 = (...parts: ReadonlyArray<string | Uint8Array>): Buffer =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()

const passphrase = 'Test SDF Network ; September 2015'

/**
 * Evidence about a payment of a log in memory: two events of the payment around one of somebody else's, one that is withheld,
 * a customer's event, and an anchor of the first of two checkpoints. A witness has cosigned both.
 */
export const evidenceSample = async (): Promise<Evidence> => {
  const payment = sealed('payment-pay_1', [
    { type: 'PaymentOpened', data: { customerId: 'cus_1', note: 'Zoë "q" \\ \u0001 \u{1F600}', one: 1 } },
    { type: 'Withheld', data: {} },
    { type: 'PaymentConfirmed', data: { amount: '200000000' } },
  ])
  const customer = sealed('customer-cus_1', [{ type: 'CustomerCreated', data: {} }])
  const [first, second, third] = payment
  const [created] = customer
  if (first === undefined || second === undefined || third === undefined || created === undefined)
    throw new Error('The sample has these events')
  const other = sealed('payment-pay_2', [{ type: 'PaymentOpened', data: { customerId: 'cus_2' } }])
  const older = [created, first, ...other]
  const textOf = (leaves: ReadonlyArray<Sealed>): string =>
    printCheckpoint({ origin: logKey.key.name, ...memoryTree(leaves.map(leafOf)).headAt(leaves.length) })
  const envelope = anchorXdr(textOf(older))
  const hash = sha256(sha256(passphrase), envelope).toString('hex')
  const anchoring = sealed(`stellartx-${hash}`, [
    {
      type: 'TransactionPrepared',
      data: { envelopeXdr: Buffer.concat([envelope, Buffer.alloc(4)]).toString('base64') },
    },
  ])
  const log = [
    ...older,
    second,
    third,
    ...anchoring,
    ...sealed('product-prod_2', [{ type: 'ProductCreated', data: {} }]),
  ]
  const tree = memoryTree(log.map(leafOf))
  const size = BigInt(log.length)
  const note = async (leaves: ReadonlyArray<Sealed>): Promise<string> => {
    const text = textOf(leaves)
    const signatures: ReadonlyArray<NoteSignature> = [
      await signedBy(logKey, text),
      await cosignedBy(witnessKey, text, BigInt(start / 1000)),
    ]
    return printNote({ text, signatures })
  }
  const placeOf = async (each: Sealed) => {
    const index = log.indexOf(each)
    const proof = await done(() => proveInclusion(BigInt(index), size, tree.read))
    return { index, recorded_at: each.recordedAt, inclusion: proof.map(base64) }
  }
  const shown = async (each: Sealed) => ({ event: each.event, ...(await placeOf(each)) })
  const withheld = { hash: second.hash, reason: 'names_an_operator' as const }
  const consistency = await done(() => proveConsistency(BigInt(older.length), size, tree.read))
  return {
    about: { id: 'pay_1', kind: 'payment' },
    anchors: [{ checkpoint: 0, network_passphrase: passphrase, transaction_hash: decoded(TransactionHash, hash) }],
    checkpoints: [
      { consistency: consistency.map(base64), note: await note(older) },
      { consistency: [], note: await note(log) },
    ],
    format: 'quittance-evidence@v1',
    keys: [logKey, witnessKey].map(({ key }) => printVerifierKey(key)),
    streams: [
      { stream: 'customer-cus_1', events: [await shown(created)] },
      {
        stream: 'payment-pay_1',
        events: [await shown(first), { withheld, ...(await placeOf(second)) }, await shown(third)],
      },
      { stream: `stellartx-${hash}`, events: await Promise.all(anchoring.map(shown)) },
    ],
  }
}

/** The sample as a file, with the keys that an auditor knows. */
export const evidenceFile = async () => ({
  text: printEvidence(await evidenceSample()),
  key: printVerifierKey(logKey.key),
  witness: printVerifierKey(witnessKey.key),
})
