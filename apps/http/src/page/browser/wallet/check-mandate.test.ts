import * as Sdk from '@stellar/stellar-sdk'
import type { Mandate } from '../mandate.ts'
import type { PageQuote } from '../wire.ts'
import { mandateProblem } from './check-mandate.ts'
import type { StellarSdk } from './sdk.ts'

/** Does not compile when the wallet's description of the library is wrong. */
const sdk: StellarSdk = Sdk

const address = (seed: number): string => Sdk.Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(seed)).publicKey()
const contract = (seed: number): string => Sdk.StrKey.encodeContract(new Uint8Array(32).fill(seed))
const payer = address(1)
const passphrase = 'Sandbox under test'
const usdc = new Sdk.Asset('USDC', address(3))
const mandate: Mandate = {
  contractId: contract(1),
  assetCode: 'USDC',
  firstAmount: '0',
  owed: '0',
  cap: '11',
  interval: 'month',
  intervalCount: 1,
  trialDays: 14,
  trialEndsAt: '2026-12-04T10:00:00.000Z',
  replaces: null,
}
const quote: PageQuote = {
  destination: address(2),
  assetId: `USDC:${address(3)}`,
  amount: '10',
  amountReceived: '0',
  amountDue: '0',
  memo: 'chk_1',
  validUntil: '2026-11-20T10:15:00.000Z',
  sep7Uri: null,
  mandate,
  isAuthorization: false,
}

const account = (of: string) => new Sdk.Address(of).toScVal()
const i128 = (of: bigint) => Sdk.nativeToScVal(of, { type: 'i128' })
const u32 = (of: number) => Sdk.nativeToScVal(of, { type: 'u32' })
const terms = {
  customer: account(payer),
  payee: account(quote.destination),
  operator: account(address(4)),
  token: account(usdc.contractId(passphrase)),
  cap: i128(110_000_000n),
  unit: u32(3),
  count: u32(1),
  firstChargeAt: Sdk.nativeToScVal(BigInt(Date.parse('2026-12-04T10:00:00.000Z') / 1000), { type: 'u64' }),
  endsAt: Sdk.nativeToScVal(null),
  firstAmount: i128(0n),
  allowance: i128(770_000_000n),
  expiry: u32(3_110_410),
  reference: Sdk.nativeToScVal(new TextEncoder().encode('chk_1')),
  replaces: Sdk.nativeToScVal(null),
}

const callOf = (contractId: string, functionName: string, args: ReadonlyArray<Sdk.xdr.ScVal>) =>
  new Sdk.xdr.InvokeContractArgs({
    contractAddress: new Sdk.Address(contractId).toScAddress(),
    functionName,
    args: [...args],
  })
const invocation = (call: Sdk.xdr.InvokeContractArgs, ...inside: ReadonlyArray<Sdk.xdr.SorobanAuthorizedInvocation>) =>
  new Sdk.xdr.SorobanAuthorizedInvocation({
    function: Sdk.xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call),
    subInvocations: [...inside],
  })

type Changes = {
  terms?: Partial<typeof terms>
  contractId?: string
  functionName?: string
  approves?: string
  spender?: string
  more?: boolean
  source?: string
  fee?: string
  twice?: boolean
}

/** What the service answers: read back from its XDR, as the wallet does. */
const answered = (changes: Changes = {}) => {
  const { contractId = mandate.contractId, functionName = 'create', source = payer, fee = '9000000' } = changes
  const call = callOf(contractId, functionName, Object.values({ ...terms, ...changes.terms }))
  const approved = [account(payer), account(changes.spender ?? mandate.contractId), terms.allowance, terms.expiry]
  const approval = invocation(callOf(usdc.contractId(passphrase), changes.approves ?? 'approve', approved))
  const entry = new Sdk.xdr.SorobanAuthorizationEntry({
    credentials: Sdk.xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: invocation(call, approval, ...(changes.more ? [approval] : [])),
  })
  const operation = Sdk.Operation.invokeHostFunction({
    func: Sdk.xdr.HostFunction.hostFunctionTypeInvokeContract(call),
    auth: [entry],
  })
  const builder = new Sdk.TransactionBuilder(new Sdk.Account(source, '7'), { fee, networkPassphrase: passphrase })
  builder.addOperation(operation)
  if (changes.twice) builder.addOperation(operation)
  const read = sdk.TransactionBuilder.fromXdr(builder.setTimebounds(0, 1_793_491_320).build().toXdr(), passphrase)
  if ('innerTransaction' in read) throw new Error('not a plain transaction')
  return read
}
const problemOf = (changes: Changes, shown: Mandate = mandate) =>
  mandateProblem(sdk, answered(changes), payer, quote, shown, passphrase)

describe('a mandate that the service proposes', () => {
  it('signs a mandate that is exactly what the page shows', () => expect(problemOf({})).toBeNull())
  it('signs a mandate that replaces the one that the page names, or none', () => {
    const named = { ...quote, mandate: { ...mandate, replaces: '07'.repeat(32) } }
    const ending = (byte: number) => ({ terms: { replaces: Sdk.nativeToScVal(new Uint8Array(32).fill(byte)) } })
    const problem = (changes: Changes) => mandateProblem(sdk, answered(changes), payer, named, mandate, passphrase)
    expect([problem(ending(7)), problem({}), problem(ending(8))]).toEqual([null, null, 'It ends another mandate.'])
  })
  it('signs a mandate without a trial, whatever its first charge date', () => {
    const atOnce = { ...mandate, firstAmount: '10', trialDays: 0, trialEndsAt: null }
    expect(problemOf({ terms: { firstAmount: i128(100_000_000n) } }, atOnce)).toBeNull()
  })
  it.each<[string, Changes, string]>([
    ['a higher limit', { terms: { cap: i128(110_000_001n) } }, 'Its limit is another one.'],
    ['money at once', { terms: { firstAmount: i128(1n) } }, 'It pays another amount.'],
    ['a shorter interval', { terms: { unit: u32(1) } }, 'It is collected at another interval.'],
    ['half the interval', { terms: { unit: u32(2), count: u32(2) } }, 'It is collected at another interval.'],
    [
      'an earlier end of the trial',
      { terms: { firstChargeAt: Sdk.nativeToScVal(1n, { type: 'u64' }) } },
      'Its trial ends at another time.',
    ],
    ['another payee', { terms: { payee: account(address(9)) } }, 'It pays another account.'],
    ['another customer', { terms: { customer: account(address(9)) } }, 'It is another account’s mandate.'],
    ['another token', { terms: { token: account(contract(9)) } }, 'It pays in another asset.'],
    ['another checkout', { terms: { reference: Sdk.nativeToScVal(new Uint8Array(3)) } }, 'It is for another checkout.'],
    [
      'another mandate to end',
      { terms: { replaces: Sdk.nativeToScVal(new Uint8Array(32)) } },
      'It ends another mandate.',
    ],
    ['another contract', { contractId: contract(9) }, 'It calls something else.'],
    ['another function', { functionName: 'charge' }, 'It calls something else.'],
    ['another permission', { approves: 'transfer' }, 'Its signature would stand for something else too.'],
    ['a permission for another', { spender: contract(9) }, 'Its signature would stand for something else too.'],
    ['one more permission', { more: true }, 'Its signature would stand for something else too.'],
    ['another account', { source: address(9) }, 'It is sent by another account.'],
    ['a fee of more than 5 XLM', { fee: '50000001' }, 'Its fee is too high.'],
  ])('refuses to sign a mandate with %s', (_, changes, problem) => expect(problemOf(changes)).toBe(problem))
  it('signs a further approval for the mandate of a subscription that asks for one, and of no other', () => {
    const renewal = { functionName: 'renew_allowance', terms: {} }
    const asked = (changes: Changes, isAuthorization: boolean) =>
      mandateProblem(sdk, answered(changes), payer, { ...quote, isAuthorization }, mandate, passphrase)
    expect([
      asked(renewal, true),
      asked({ ...renewal, spender: contract(9) }, true),
      asked({ ...renewal, contractId: contract(9) }, true),
      asked(renewal, false),
    ]).toEqual([
      null,
      'Its signature would stand for something else too.',
      'It calls something else.',
      'It calls something else.',
    ])
  })
  it('refuses to sign a payment as a mandate', () => {
    const builder = new Sdk.TransactionBuilder(new Sdk.Account(payer, '7'), {
      fee: '100',
      networkPassphrase: passphrase,
    })
    builder.addOperation(Sdk.Operation.payment({ destination: quote.destination, asset: usdc, amount: '10' }))
    const read = sdk.TransactionBuilder.fromXdr(builder.setTimebounds(0, 1_793_491_320).build().toXdr(), passphrase)
    if ('innerTransaction' in read) throw new Error('not a plain transaction')
    expect(mandateProblem(sdk, read, payer, quote, mandate, passphrase)).toBe('It is no mandate.')
  })
})
