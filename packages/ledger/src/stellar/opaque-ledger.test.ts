import { type AccountId, ContractId } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
import {
  inUnknownForm,
  ofProtocol,
  otherwiseClosed,
  type RawLedger,
  recordedLedgers,
  startNodes,
} from '../testing/ledger-nodes.ts'
import { nobody, payee, payer, sandboxPassphrase } from '../testing/sandbox.ts'
import { extractLedger } from './extractor.ts'
import { ledgerFrame, opaqueLedger } from './opaque-ledger.ts'

const opaqueIn = (metaXdr: string, cause: string) => {
  const frame = ledgerFrame(metaXdr)
  return frame === null ? null : opaqueLedger(frame, cause)
}
const nextProtocol = ofProtocol(28)
let known: RawLedger
let next: RawLedger
beforeAll(async () => {
  const paid = (await recordedLedgers(1, 'chk_opaque')).at(-1)
  if (paid === undefined) throw new Error('no ledger')
  known = paid
  next = nextProtocol(paid)
})

const isAny =
  (...accounts: ReadonlyArray<string>) =>
  (id: AccountId | ContractId): boolean =>
    accounts.some((account) => account === id)
const changed = ({ metadataXdr }: RawLedger, change: (bytes: Buffer) => void): string => {
  const bytes = Buffer.from(metadataXdr, 'base64')
  change(bytes)
  return bytes.toString('base64')
}

describe('a ledger of a newer protocol', () => {
  it('is read as ever while it holds nothing new', () =>
    expect(right(extractLedger(next.metadataXdr, sandboxPassphrase)).sequence).toBe(next.sequence))

  it('shows its header where it cannot be decoded, and whom its bytes name', () => {
    const { metadataXdr } = inUnknownForm(next)
    expect(E.isLeft(extractLedger(metadataXdr, sandboxPassphrase))).toBe(true)
    const { sequence, closedAt, hash, previousHash } = right(extractLedger(next.metadataXdr, sandboxPassphrase))
    const opaque = opaqueIn(metadataXdr, 'unknown')
    expect(opaque).toMatchObject({ sequence, closedAt, hash, previousHash, protocol: 28, cause: 'unknown' })
    expect(opaque?.names(isAny(payee.accountId))).toBe(payee.accountId)
    expect(opaque?.names(isAny(payer.accountId))).toBe(payer.accountId)
    expect(opaque?.names(isAny(nobody.accountId))).toBeNull()
    expect(opaque?.names((id) => ContractId.is(id) && id === 'C')).toBeNull()
  })
})

describe('an undecodable ledger is no more than unreadable', () => {
  it('if its protocol is known: then the node is at fault', () =>
    expect(opaqueIn(inUnknownForm(known).metadataXdr, '')).toBeNull())
  it('if its header does not have the hash that it states', () =>
    expect(
      opaqueIn(
        changed(next, (bytes) => bytes.writeUInt32BE(29, 8 + 32)),
        '',
      ),
    ).toBeNull())
  it('if its header covers other transactions: with them, a payment to us could be left out', () => {
    const set = Buffer.from(next.metadataXdr, 'base64').indexOf(Buffer.from('chk_opaque'))
    expect(
      opaqueIn(
        changed(next, (bytes) => bytes.writeUInt8(0, set)),
        '',
      ),
    ).toBeNull()
  })
  it.each([
    ['nothing', ''],
    ['no ledger', Buffer.alloc(400, 2).toString('base64')],
  ])('if it is %s', (_, text) => expect(opaqueIn(text, '')).toBeNull())
})

describe('two nodes with an undecodable ledger', () => {
  const read = async (one: RawLedger, other: RawLedger) => {
    const { gateway, stop, alarms } = await startNodes([[one], [other]])
    const found = await gateway.readLedgers(
      right(extractLedger(next.metadataXdr, sandboxPassphrase)).sequence,
      1,
      null,
    )()
    await stop()
    return { found, alarms }
  }
  const opaqueOf = ({ found }: Awaited<ReturnType<typeof read>>) =>
    E.isLeft(found) && found.left._tag === 'LedgerUnreadable' ? found.left.opaque : undefined

  it('both have to hold the same', async () => {
    const unknown = inUnknownForm(next)
    expect(opaqueOf(await read(unknown, unknown))?.names(isAny(payee.accountId))).toBe(payee.accountId)
    expect(opaqueOf(await read(unknown, inUnknownForm(otherwiseClosed(next))))).toBeUndefined()
    expect(opaqueOf(await read(unknown, inUnknownForm(known)))).toBeUndefined()
  })
  it('give way to one that tells it readably', async () => {
    const { found } = await read(inUnknownForm(next), next)
    expect([...right(found).ledgers].map(({ sequence }) => sequence)).toEqual([next.sequence])
  })
})
