import { Asset, type Keypair, Operation } from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import { accountEntry, type Build, funded, keyNumber, outcomeOf, sandboxInMemory, signed } from '../testing/fixture.ts'

const account = keyNumber(1)
const second = keyNumber(2)
const third = keyNumber(3)

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, account)
})

type Options = Parameters<typeof Operation.setOptions>[0]
const set = (options: Options, build?: Build) =>
  outcomeOf(sandbox, signed(sandbox, account, [Operation.setOptions(options)], build))
const addSigner = (key: Keypair, weight: number) => set({ signer: { ed25519PublicKey: key.publicKey(), weight } })

describe('setting options', () => {
  it('sets thresholds, flags and home domain', () => {
    expect(
      set({ masterWeight: 10, lowThreshold: 1, medThreshold: 2, highThreshold: 3, setFlags: 2, homeDomain: 'x.org' }),
    ).toBe('txSuccess')
    const { thresholds, flags, homeDomain } = accountEntry(sandbox, account)
    expect([...thresholds.value]).toEqual([10, 1, 2, 3])
    expect(flags).toBe(2)
    expect(homeDomain.toString()).toBe('x.org')
  })

  it('adds, reweighs and removes signers, which are subentries', () => {
    addSigner(second, 1)
    addSigner(third, 2)
    addSigner(second, 5)
    const { signers, numSubEntries } = accountEntry(sandbox, account)
    expect(signers.map(({ weight }) => weight).toSorted()).toEqual([2, 5])
    expect(signers.map(({ key }) => key.toXdr('hex'))).toEqual(signers.map(({ key }) => key.toXdr('hex')).toSorted())
    expect(numSubEntries).toBe(2)
    addSigner(second, 0)
    expect(accountEntry(sandbox, account)).toMatchObject({ numSubEntries: 1, signers: [{ weight: 2 }] })
    expect(addSigner(second, 0)).toBe('txSuccess')
    expect(accountEntry(sandbox, account).numSubEntries).toBe(1)
  })

  it('accepts twenty signers and no more', () => {
    for (let number = 10; number < 30; number += 1) expect(addSigner(keyNumber(number), 1)).toBe('txSuccess')
    expect(addSigner(keyNumber(30), 1)).toBe('setOptionsTooManySigners')
  })

  it.each<[string, Options, string]>([
    ['a flag nobody knows', { setFlags: 16 }, 'setOptionsUnknownFlag'],
    ['a flag both set and cleared', { setFlags: 1, clearFlags: 1 }, 'setOptionsBadFlags'],
    [
      'the account as its own signer',
      { signer: { ed25519PublicKey: account.publicKey(), weight: 1 } },
      'setOptionsBadSigner',
    ],
    ['clawback without the right to revoke', { setFlags: 8 }, 'setOptionsAuthRevocableRequired'],
    ['a home domain with a line break', { homeDomain: 'a\nb' }, 'setOptionsInvalidHomeDomain'],
    ['inflation to nobody', { inflationDest: keyNumber(9).publicKey() }, 'setOptionsInvalidInflation'],
    ['a pre-authorised transaction', { signer: { preAuthTx: new Uint8Array(32), weight: 1 } }, 'opNotSupported'],
  ])('refuses %s', (_, options, code) => {
    expect(set(options)).toBe(code)
  })

  it("refuses to change an immutable issuer's flags", () => {
    set({ setFlags: 4 })
    expect(set({ setFlags: 1 })).toBe('setOptionsCantChange')
  })
})

describe('thresholds', () => {
  const payment = Operation.payment({ destination: second.publicKey(), asset: Asset.native(), amount: '1' })
  const pay = (...signers: Keypair[]) => outcomeOf(sandbox, signed(sandbox, account, [payment], { signers }))

  beforeEach(async () => {
    await funded(sandbox, second)
    addSigner(second, 2)
    addSigner(third, 1)
    set({ masterWeight: 1, lowThreshold: 1, medThreshold: 3, highThreshold: 4 })
  })

  it('thresholds compare with the sum of the weights', () => {
    expect(pay(account, third)).toBe('opBadAuth')
    expect(pay(second, third)).toBe('txSuccess')
    expect(pay(account, second)).toBe('txSuccess')
  })

  it('changing signers needs the high threshold', () => {
    const options: Options = { masterWeight: 2 }
    expect(set(options, { signers: [account, second] })).toBe('opBadAuth')
    expect(set(options, { signers: [account, second, third] })).toBe('txSuccess')
  })

  it("the transaction's own threshold is checked first", () => {
    expect(pay(keyNumber(8))).toBe('txBadAuth')
    expect(pay()).toBe('txBadAuth')
  })

  it('refuses signatures beyond the needed weight', () => {
    expect(pay(second, account, third)).toBe('txBadAuthExtra')
    expect(pay(second, third, keyNumber(8))).toBe('txBadAuthExtra')
  })

  it('a master key of weight 0 does not count', () => {
    set({ masterWeight: 0 }, { signers: [account, second, third] })
    expect(pay(account)).toBe('txBadAuth')
    expect(pay(second, third)).toBe('txSuccess')
  })
})
