import { Operation } from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import { accountEntry, funded, keyNumber, outcomeOf, sandboxInMemory, signed } from '../testing/fixture.ts'

const payer = keyNumber(1)
const newcomer = keyNumber(2)

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, payer)
})

const create = (startingBalance: string, destination = newcomer) =>
  outcomeOf(
    sandbox,
    signed(sandbox, payer, [Operation.createAccount({ destination: destination.publicKey(), startingBalance })]),
  )

describe('creating an account', () => {
  it('creating an account sets its balance and derives its sequence number from the ledger', () => {
    expect(create('5')).toBe('txSuccess')
    const { balance, seqNum, numSubEntries } = accountEntry(sandbox, newcomer)
    expect({ balance, seqNum, numSubEntries }).toEqual({
      balance: 50_000_000n,
      seqNum: BigInt(sandbox.clock().ledger) << 32n,
      numSubEntries: 0,
    })
    expect(accountEntry(sandbox, payer).balance).toBe(99_949_999_900n)
  })

  it('creating an account needs exactly two reserves', () => {
    expect(create('0.9999999')).toBe('createAccountLowReserve')
    expect(create('1')).toBe('txSuccess')
  })

  it.each([
    ['9998.9999901', 'createAccountUnderfunded'],
    ['9998.99999', 'txSuccess'],
  ])('leaves the payer its reserve: %s', (balance, outcome) => {
    expect(create(balance)).toBe(outcome)
  })

  it('creating an existing account is refused', () => {
    create('5')
    expect(create('5')).toBe('createAccountAlreadyExist')
  })

  it('an account creating itself is malformed', () => {
    expect(create('5', payer)).toBe('createAccountMalformed')
  })
})
