import { AssetId, maximumStroops, stroops } from '@quittance/domain'
import { StrKey, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { named } from '../named.ts'
import { against, answering } from '../testing/against-node.ts'
import { alice } from '../testing/ledgers.ts'
import { accountKeys } from './account-entries.ts'
import { NATIVE } from './assets.ts'

const usdc = named(AssetId, `USDC:${alice}`)

describe('an account', () => {
  const accountId = xdr.PublicKey.publicKeyTypeEd25519(Buffer.from(new Uint8Array(32)))
  const entry = (data: xdr.LedgerEntryData) => ({ key: '', xdr: data.toXdr('base64'), lastModifiedLedgerSeq: 1 })
  const accountOf = (ext: xdr.AccountEntryExt) =>
    entry(
      xdr.LedgerEntryData.account(
        new xdr.AccountEntry({
          accountId,
          balance: 25_000_000n,
          seqNum: 77n,
          numSubEntries: 2,
          inflationDest: null,
          flags: 0,
          homeDomain: '',
          thresholds: Uint8Array.of(1, 2, 3, 4),
          signers: [
            new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeEd25519(new Uint8Array(32).fill(1)), weight: 5 }),
            new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeHashX(new Uint8Array(32).fill(2)), weight: 6 }),
          ],
          ext,
        }),
      ),
    )
  const account = accountOf(xdr.AccountEntryExt.v0())
  const trustline = (flags: number, ext: xdr.TrustLineEntryExt = xdr.TrustLineEntryExt.v0()) =>
    entry(
      xdr.LedgerEntryData.trustline(
        new xdr.TrustLineEntry({
          accountId,
          asset: trustlineAsset(),
          balance: 5n,
          limit: 10n,
          flags,
          ext,
        }),
      ),
    )
  const trustlineAsset = (): xdr.TrustLineAsset => {
    const key = accountKeys(alice, [usdc])[2]
    if (key?.type !== 'trustline') throw new Error('no trustline key')
    return key.trustLine.asset
  }
  const memoRequired = (value: string) =>
    entry(
      xdr.LedgerEntryData.data(
        new xdr.DataEntry({
          accountId,
          dataName: 'config.memo_required',
          dataValue: Buffer.from(value),
          ext: xdr.DataEntryExt.v0(),
        }),
      ),
    )
  const viewing = (entries: unknown) =>
    against(answering({ entries, latestLedger: 20 }), (gateway) => gateway.accountView(alice, [NATIVE, usdc])())
  const authority = {
    signers: [
      { key: alice, weight: 1 },
      { key: StrKey.encodeEd25519PublicKey(new Uint8Array(32).fill(1)), weight: 5 },
      // Whoever knows the preimage of a hash signs too.
      { key: StrKey.encodeSha256Hash(new Uint8Array(32).fill(2)), weight: 6 },
    ],
    lowThreshold: 2,
    mediumThreshold: 3,
    highThreshold: 4,
  }
  const plain = {
    account: alice,
    accountSequence: 77n,
    nativeBalance: 25_000_000n,
    nativeSpendable: 5_000_000n,
    nativeReceivable: stroops(maximumStroops - 25_000_000n),
    nativePromised: 0n,
    reserve: 20_000_000n,
    authority,
    asOf: 20,
    changedIn: 1,
  }

  it.each([[[]], [null]])('is null when it is not in the ledger (entries: %p)', async (entries) =>
    expect(await viewing(entries)).toEqual(E.right(null)),
  )
  it('says which ledger has changed it or a trustline last, where the node says so of each', async () => {
    const [own, line] = [
      { ...account, lastModifiedLedgerSeq: 7 },
      { ...trustline(1), lastModifiedLedgerSeq: 9 },
    ]
    expect(await viewing([own, line])).toMatchObject({ right: { changedIn: 9 } })
    expect(await viewing([own, { ...line, lastModifiedLedgerSeq: undefined }])).not.toHaveProperty('right.changedIn')
  })
  it('has no trustlines and needs no memo by default', async () =>
    expect(await viewing([account])).toEqual(E.right({ ...plain, trustlines: [], requiresMemo: false })))
  it.each([
    [1, true],
    [0, false],
    [2, false],
  ])('shows a trustline with flags %i as authorised: %p', async (flags, isAuthorized) =>
    expect(await viewing([account, trustline(flags)])).toEqual(
      E.right({
        ...plain,
        trustlines: [{ assetId: usdc, balance: 5n, spendable: 5n, limit: 10n, receivable: 5n, isAuthorized }],
        requiresMemo: false,
      }),
    ),
  )
  it('can receive on a trustline up to its limit, less what offers may buy', async () => {
    const liabilities = new xdr.Liabilities({ buying: 2n, selling: 1n })
    const v1 = new xdr.TrustLineEntryV1({ liabilities, ext: xdr.TrustLineEntryV1Ext.v0() })
    expect(await viewing([account, trustline(1, xdr.TrustLineEntryExt.v1(v1))])).toMatchObject({
      right: { trustlines: [{ balance: 5n, spendable: 4n, receivable: 3n }] },
    })
  })
  it.each([
    ['1', true],
    ['0', false],
  ])('with config.memo_required %s requires a memo: %p', async (value, requiresMemo) =>
    expect(await viewing([account, memoRequired(value)])).toEqual(E.right({ ...plain, trustlines: [], requiresMemo })),
  )
  it.each([
    ['what it sponsors counts in its reserve', { numSponsored: 0, numSponsoring: 1, selling: 0n }, [25_000_000n, 0n]],
    [
      'what is sponsored for it does not',
      { numSponsored: 2, numSponsoring: 0, selling: 0n },
      [10_000_000n, 15_000_000n],
    ],
    ['what it sells is promised', { numSponsored: 0, numSponsoring: 0, selling: 1n }, [20_000_000n, 4_999_999n]],
    ['nothing is left of less than its reserve', { numSponsored: 0, numSponsoring: 9, selling: 1n }, [65_000_000n, 0n]],
  ])('can spend all above its reserve: %s', async (_, { selling, ...sponsoring }, [reserve, nativeSpendable]) => {
    const v2 = new xdr.AccountEntryExtensionV2({
      ...sponsoring,
      signerSponsoringIDs: [],
      ext: xdr.AccountEntryExtensionV2Ext.v0(),
    })
    const v1 = new xdr.AccountEntryExtensionV1({
      liabilities: new xdr.Liabilities({ buying: 7n, selling }),
      ext: xdr.AccountEntryExtensionV1Ext.v2(v2),
    })
    const viewed = await viewing([accountOf(xdr.AccountEntryExt.v1(v1))])
    const nativeReceivable = stroops(maximumStroops - 25_000_000n - 7n)
    const amounts = { reserve, nativeSpendable, nativeReceivable, nativePromised: selling }
    expect(viewed).toEqual(E.right({ ...plain, ...amounts, trustlines: [], requiresMemo: false }))
  })
  it('is read with its trustlines and its memo entry, but no trustline for the native asset', async () => {
    const keys = await against(answering({ entries: [], latestLedger: 20 }), async (gateway, calls) => {
      await gateway.accountView(alice, [NATIVE, usdc])()
      return calls[0]?.params
    })
    expect(keys).toEqual({ keys: accountKeys(alice, [usdc]).map((key) => key.toXdr('base64')) })
  })
})
