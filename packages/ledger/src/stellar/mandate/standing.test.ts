import { AssetId, MandateId } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { scValToNative, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { ApprovalKey, MandateKey } from '../../mandate-standing.ts'
import { named } from '../../named.ts'
import { against, networkPassphrase } from '../../testing/against-node.ts'
import { accountKey, native, payer, usd } from '../../testing/hand-made.ts'
import type { Call, NodeBehaviour } from '../../testing/json-rpc-server.ts'
import { hashOf } from '../../testing/ledgers.ts'
import { terms } from '../../testing/mandate-terms.ts'
import { scenario, scValOf } from '../../testing/mandates.ts'

import { sdkAsset } from '../assets.ts'
import { i128, structure, u32 } from './contract-values.ts'
import { allowanceKey, expiryKey, recordKey, walletKeys } from './entry-keys.ts'
import { readCallLimits } from './limits.ts'
import { tokenContractOf } from './names.ts'
import { readApprovals, readMandates } from './standing.ts'
import { watchMandates } from './watched.ts'

const asOf = 1_000
const key: MandateKey = {
  contract: terms.contract,
  customer: payer,
  assetId: usd,
  mandate: named(MandateId, hashOf(1)),
}
const token = tokenContractOf(usd, networkPassphrase)

type Kept = {
  readonly xdr: string
  readonly liveUntilLedgerSeq?: number
  readonly lastModifiedLedgerSeq?: number | undefined
}

/** A node that keeps these entries, and shows those that it is asked for, last first. */
const keeping =
  (kept: ReadonlyMap<string, Kept>) =>
  ({ params }: Call): NodeBehaviour => {
    const { keys }: { keys: ReadonlyArray<string> } = JSON.parse(JSON.stringify(params))
    const entries = keys.flatMap((each) => {
      const entry = kept.get(each)
      return entry === undefined ? [] : [{ key: each, lastModifiedLedgerSeq: 1, ...entry }]
    })
    return { result: { entries: entries.toReversed(), latestLedger: asOf } }
  }

/** A contract's value under a key. */
const value = (under: string, val: xdr.ScVal, liveUntilLedgerSeq: number): [string, Kept] => {
  const at = xdr.LedgerKey.fromXdr(under, 'base64')
  if (at.type !== 'contractData') throw new Error('no contract')
  const { contract, key: name, durability } = at.contractData
  const ext = xdr.ExtensionPoint.v0()
  const data = xdr.LedgerEntryData.contractData(
    new xdr.ContractDataEntry({ ext, contract, key: name, durability, val }),
  )
  return [under, { xdr: data.toXdr('base64'), liveUntilLedgerSeq }]
}

const liabilities = new xdr.Liabilities({ buying: 0n, selling: 30n })
const account = (balance: bigint): xdr.LedgerEntryData =>
  xdr.LedgerEntryData.account(
    new xdr.AccountEntry({
      accountId: accountKey(payer),
      balance,
      seqNum: 1n,
      numSubEntries: 1,
      inflationDest: null,
      flags: 0,
      homeDomain: '',
      thresholds: new Uint8Array(4),
      signers: [],
      ext: xdr.AccountEntryExt.v1(
        new xdr.AccountEntryExtensionV1({ liabilities, ext: xdr.AccountEntryExtensionV1Ext.v0() }),
      ),
    }),
  )
const trustline = (balance: bigint, flags: number): xdr.LedgerEntryData =>
  xdr.LedgerEntryData.trustline(
    new xdr.TrustLineEntry({
      accountId: accountKey(payer),
      asset: sdkAsset(usd).toTrustLineXdrObject(),
      balance,
      limit: 2n ** 63n - 1n,
      flags,
      ext: xdr.TrustLineEntryExt.v1(new xdr.TrustLineEntryV1({ liabilities, ext: xdr.TrustLineEntryV1Ext.v0() })),
    }),
  )
const [accountAt = '', trustlineAt = ''] = walletKeys(key)
const kept = (at: string, data: xdr.LedgerEntryData): [string, Kept] => [at, { xdr: data.toXdr('base64') }]
const wealthy = kept(accountAt, account(20_000_000n))
const trusting = kept(trustlineAt, trustline(100n, 1))
const allowance = (amount: bigint, liveUntil: number, lives = liveUntil): [string, Kept] =>
  value(allowanceKey(key, token), structure({ amount: i128(amount), live_until_ledger: u32(liveUntil) }), lives)
const expiry = (ledger: number): [string, Kept] => value(expiryKey(key, token), u32(ledger), ledger)

const approval = async (of: ApprovalKey, ...entries: ReadonlyArray<[string, Kept]>) => {
  const [standing] = await against(keeping(new Map(entries)), async (gateway) =>
    right(await readApprovals(gateway)([of])()),
  )
  return standing
}

describe('the approval of a customer', () => {
  it('has the allowance, last expiry and wallet from the ledger', async () =>
    expect(await approval(key, wealthy, trusting, allowance(770n, 4_000), expiry(4_000))).toEqual({
      allowance: { amount: 770n, liveUntil: 4_000 },
      lastExpiry: 4_000,
      wallet: { spendable: 70n, hasTrustline: true, isAuthorized: true, changedIn: 1 },
      asOf,
    }))
  it.each<[string, ReadonlyArray<[string, Kept]>, unknown]>([
    ['was never given', [], null],
    ['ends with the next ledger', [allowance(770n, asOf + 1)], { amount: 770n, liveUntil: asOf + 1 }],
    ['has ended with this one', [allowance(770n, asOf)], null],
    ['is over, though its entry lives', [allowance(770n, asOf, asOf + 10)], null],
    ['is spent', [allowance(0n, 4_000)], { amount: 0n, liveUntil: 4_000 }],
  ])('has no allowance for the next ledger, or has one, where it %s', async (_, entries, expected) =>
    expect(await approval(key, ...entries)).toMatchObject({ allowance: expected }),
  )
  it.each<[string, ApprovalKey, ReadonlyArray<[string, Kept]>, unknown]>([
    ['is gone', key, [], null],
    ['has lost its trustline', key, [wealthy], { spendable: 0n, hasTrustline: false, isAuthorized: false }],
    [
      'may only keep what it has',
      key,
      [wealthy, kept(trustlineAt, trustline(100n, 2))],
      { spendable: 70n, hasTrustline: true, isAuthorized: false },
    ],
    [
      'has promised more than it has',
      key,
      [wealthy, kept(trustlineAt, trustline(20n, 1))],
      { spendable: 0n, hasTrustline: true, isAuthorized: true },
    ],
    [
      'pays with the native asset, beyond its reserve',
      { ...key, assetId: native },
      [wealthy],
      { spendable: 20_000_000n - 15_000_000n - 30n, hasTrustline: true, isAuthorized: true },
    ],
    [
      'issues the asset',
      { ...key, assetId: named(AssetId, `USD:${payer}`) },
      [wealthy],
      { spendable: 2n ** 63n - 1n, hasTrustline: true, isAuthorized: true },
    ],
  ])('shows a wallet that %s', async (_, of, entries, wallet) =>
    expect(await approval(of, ...entries)).toMatchObject({ wallet }),
  )
})

describe('the standing of a mandate', () => {
  const recorded = scenario('month-ends')
  const steps = recorded.steps.filter(({ outcome }) => outcome.value !== undefined)
  const mandate = named(MandateId, Buffer.from(scValToNative(scValOf(steps[0]?.outcome.value ?? ''))).toString('hex'))
  const ours: MandateKey = { ...key, contract: recorded.contract, mandate }
  /** The record after one of the steps, which lives so long. */
  const record = (place: number, liveUntilLedgerSeq: number): [string, Kept] => {
    const at = recordKey(ours)
    const change = steps[place]?.changes.find((each) => each.key === at)
    const { data } = xdr.LedgerEntry.fromXdr(change?.after?.entry ?? '', 'base64')
    return [at, { xdr: data.toXdr('base64'), liveUntilLedgerSeq }]
  }
  const asked = (mandates: ReadonlyArray<MandateKey>, ...entries: ReadonlyArray<[string, Kept]>) =>
    against(keeping(new Map(entries)), async (gateway, calls) => ({
      standings: right(await readMandates(gateway)(mandates)()),
      sizes: calls.map(({ params }) => JSON.parse(JSON.stringify(params)).keys.length),
    }))

  it("is the contract's record, charge after charge", async () => {
    const start = 1_769_860_800_000
    const last = async (place: number) => {
      const [standing] = (await asked([ours], record(place, 4_000))).standings
      const { reference, lastPeriodStart, lastReference, cap } = standing?.record ?? {}
      return [reference, cap, lastPeriodStart, lastReference, standing?.isArchived]
    }
    expect(await last(0)).toEqual(['cs_1', 1_100n, start, 'cs_1', false])
    expect(await last(1)).toEqual(['cs_1', 1_100n, start + 28 * 86_400_000, '\u0001', false])
  })
  it.each([
    [asOf, false],
    [asOf - 1, true],
    [0, true],
  ])('is archived once its rent has run out: paid until ledger %d', async (liveUntil, isArchived) =>
    expect((await asked([ours], record(0, liveUntil))).standings).toMatchObject([
      { isArchived, record: { cap: 1_100n } },
    ]),
  )
  it('comes in the given order, in requests that a node takes, for missing mandates too', async () => {
    const unknown = Array.from({ length: 90 }, (_, n) => ({ ...ours, mandate: named(MandateId, hashOf(n)) }))
    const { standings, sizes } = await asked([...unknown, ours], record(0, 4_000), wealthy)
    expect(standings.map(({ record: found }) => found?.reference ?? null)).toEqual([...unknown.map(() => null), 'cs_1'])
    expect(sizes).toEqual([44, 44, 15])
  })
  it('is unknown where the node is silent', () =>
    against(
      () => 'silence',
      async (gateway) =>
        expect(await readMandates(gateway)([ours])()).toEqual(
          E.left({ _tag: 'LedgerUnreachable', cause: expect.stringMatching(/./) }),
        ),
      100,
    ))
})

describe('the limits of a call', () => {
  it("are the network's settings, and presets for missing ones", async () => {
    const setting = (configSettingId: xdr.ConfigSettingId, entry: xdr.ConfigSettingEntry): [string, Kept] =>
      kept(
        xdr.LedgerKey.configSetting(new xdr.LedgerKeyConfigSetting({ configSettingId })).toXdr('base64'),
        xdr.LedgerEntryData.configSetting(entry),
      )
    const events = setting(
      xdr.ConfigSettingId.configSettingContractEventsV0,
      xdr.ConfigSettingEntry.configSettingContractEventsV0(
        new xdr.ConfigSettingContractEventsV0({ txMaxContractEventsSizeBytes: 8_198, feeContractEvents1Kb: 1n }),
      ),
    )
    const footprint = setting(
      xdr.ConfigSettingId.configSettingContractLedgerCostExtV0,
      xdr.ConfigSettingEntry.configSettingContractLedgerCostExtV0(
        new xdr.ConfigSettingContractLedgerCostExtV0({ txMaxFootprintEntries: 400, feeWrite1Kb: 1n }),
      ),
    )
    const limits = await against(keeping(new Map([events, footprint])), async (gateway) =>
      right(await readCallLimits(gateway)()),
    )
    expect(limits).toEqual({
      instructions: 100_000_000,
      footprintEntries: 400,
      writtenEntries: 50,
      diskReadEntries: 40,
      diskReadBytes: 200_000,
      writtenBytes: 132_096,
      eventBytes: 8_198,
      transactionBytes: 132_096,
      maxEntryTtl: 3_110_400,
      rates: { per10kInstructions: 25n, perDiskRead1Kb: 1_786n, perWrite1Kb: 1n },
    })
  })
})

describe('a mandate that is watched', () => {
  it('has the standing that is read, and tells whether any of its entries was written, made or removed since', async () => {
    const entries = new Map([wealthy, trusting, allowance(770n, 4_000)])
    await against(keeping(entries), async (gateway) => {
      const watch = watchMandates(gateway)
      const look = async () => {
        const [watched] = right(await watch([key])())
        expect(watched?.standing()).toEqual(right(await readMandates(gateway)([key])())[0])
        return watched?.writtenIn
      }
      const write = (at: string, data: xdr.LedgerEntryData, lastModifiedLedgerSeq: number | undefined) =>
        entries.set(at, { xdr: data.toXdr('base64'), lastModifiedLedgerSeq })
      const found = [await look(), await look()]
      write(trustlineAt, trustline(200n, 1), 2)
      found.push(await look())
      entries.delete(trustlineAt)
      found.push(await look())
      entries.set(...expiry(4_000))
      found.push(await look())
      entries.set(...allowance(770n, 4_000, 5_000))
      found.push(await look())
      const [first, ...others] = found
      expect(others[0]).toBe(first)
      expect(new Set(others).size).toBe(others.length)
      write(trustlineAt, trustline(200n, 1), undefined)
      expect(await look()).toBeNull()
    })
  })
})
