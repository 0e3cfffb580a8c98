import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from './config.ts'
import { publicPassphrases } from './public-networks.ts'
import type { Variables } from './settings.ts'

const contract = 'CBKMUZNFQIAL775XBB2W2GP5CNHBM5YGH6C3XB7AY6SUVO2IBU3VYK2V'
const account = 'GAAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQDZ7H'
const testnetOf = (variables: Variables) => networksOf(variables).testnet
const networksOf = (variables: Variables) => {
  const config = configFrom(variables)
  if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
  return config.right.networks
}
const problemsOf = (variables: Variables) => {
  const config = configFrom(variables)
  return E.isLeft(config) ? config.left : []
}
const nodes = { QUITTANCE_TESTNET_RPC_URLS: 'https://one.example.org, http://10.0.0.1:8000/rpc/' }

describe('the networks of a configuration', () => {
  it('configures the public networks without nodes by default', () =>
    expect(networksOf({})).toMatchObject({
      testnet: {
        rpcUrls: [],
        passphrase: 'Test SDF Network ; September 2015',
        friendbotUrl: null,
        mandateContract: null,
      },
      mainnet: {
        rpcUrls: [],
        passphrase: 'Public Global Stellar Network ; September 2015',
        friendbotUrl: null,
        mandateContract: null,
      },
    }))

  it.each<[string, Variables, number | null]>([
    ['each day in the sandbox', {}, 86_400_000],
    ['never in the sandbox where that is said', { QUITTANCE_ANCHOR_HOURS_TESTNET: 'none' }, null],
    ['never on another network', nodes, null],
    ['as often as that is said', { ...nodes, QUITTANCE_ANCHOR_HOURS_TESTNET: '6' }, 21_600_000],
  ])('puts a checkpoint on the ledger %s', (_, variables, anchorEveryMs) =>
    expect(testnetOf(variables)).toMatchObject({ anchorEveryMs }),
  )

  it('configures networks with the given nodes, passphrase and contract', () =>
    expect(
      testnetOf({
        ...nodes,
        QUITTANCE_TESTNET_PASSPHRASE: 'Our Network ; 2026',
        QUITTANCE_MANDATE_CONTRACT_TESTNET: contract,
        QUITTANCE_TESTNET_FEE_ACCOUNT: account,
        QUITTANCE_TESTNET_UPGRADE: '28@2026-12-16T17:00:00Z',
        QUITTANCE_EXPLORER_TESTNET: 'https://explorer.example/tx/{hash}',
      }),
    ).toMatchObject({
      explorer: 'https://explorer.example/tx/{hash}',
      announcedUpgrade: { protocol: 28, at: Date.UTC(2026, 11, 16, 17) },
      feeAccount: account,
      rpcUrls: ['https://one.example.org', 'http://10.0.0.1:8000/rpc'],
      passphrase: 'Our Network ; 2026',
      friendbotUrl: null,
      mandateContract: contract,
    }))

  it.each<[string, Variables, string | null]>([
    ['is that of the public testnet where its nodes are configured', nodes, 'https://friendbot.stellar.org'],
    ['is none where it is switched off', { ...nodes, QUITTANCE_TESTNET_FRIENDBOT_URL: 'none' }, null],
    ['is none on the sandbox', {}, null],
    ['is none on another network', { ...nodes, QUITTANCE_TESTNET_PASSPHRASE: 'Our Network' }, null],
    [
      'is the one that is named',
      {
        ...nodes,
        QUITTANCE_TESTNET_PASSPHRASE: 'Our Network',
        QUITTANCE_TESTNET_FRIENDBOT_URL: 'http://10.0.0.1/bot/',
      },
      'http://10.0.0.1/bot',
    ],
  ])('the friendbot %s', (_, variables, friendbotUrl) => expect(testnetOf(variables)).toMatchObject({ friendbotUrl }))

  it('reports all problems of the networks', () =>
    expect(
      problemsOf({
        QUITTANCE_TESTNET_RPC_URLS: 'one.example.org',
        QUITTANCE_MAINNET_RPC_URLS: 'https://one.example.org',
        QUITTANCE_MAINNET_PASSPHRASE: 'two\nlines',
        QUITTANCE_TESTNET_FRIENDBOT_URL: 'nobody',
        QUITTANCE_MANDATE_CONTRACT_MAINNET: `${contract.slice(0, -1)}A`,
        QUITTANCE_MAINNET_UPGRADE: '28@2026-13-16T17:00:00Z',
        QUITTANCE_ANCHOR_HOURS_MAINNET: '0',
      }),
    ).toEqual([
      { variable: 'QUITTANCE_TESTNET_RPC_URLS', expected: 'http(s) addresses, each once, separated by commas' },
      { variable: 'QUITTANCE_MAINNET_PASSPHRASE', expected: 'the passphrase of a network, in one line' },
      { variable: 'QUITTANCE_ANCHOR_HOURS_MAINNET', expected: 'hours from 1 to 8784, or none' },
      { variable: 'QUITTANCE_MANDATE_CONTRACT_MAINNET', expected: 'a Stellar contract (C…)' },
      {
        variable: 'QUITTANCE_MAINNET_UPGRADE',
        expected: 'a protocol and the time of its upgrade, such as 28@2026-12-16T17:00:00Z',
      },
      { variable: 'QUITTANCE_TESTNET_FRIENDBOT_URL', expected: 'an http(s) address, or none' },
    ]))

  it('requires nodes for a named network, since the sandbox would take its place', () => {
    const named = { QUITTANCE_TESTNET_PASSPHRASE: 'Our Network', QUITTANCE_TESTNET_FRIENDBOT_URL: 'none' }
    const expected =
      'set, since there is no network for QUITTANCE_TESTNET_PASSPHRASE and QUITTANCE_TESTNET_FRIENDBOT_URL'
    expect(problemsOf(named)).toEqual([{ variable: 'QUITTANCE_TESTNET_RPC_URLS', expected }])
    expect(problemsOf({ ...named, ...nodes })).toEqual([])
  })

  it.each<[string, Variables]>([
    ['the public mainnet as the testnet', { ...nodes, QUITTANCE_TESTNET_PASSPHRASE: publicPassphrases.mainnet }],
    [
      'one network as both',
      {
        ...nodes,
        QUITTANCE_MAINNET_RPC_URLS: 'https://one.example.org',
        QUITTANCE_TESTNET_PASSPHRASE: 'Our Network',
        QUITTANCE_MAINNET_PASSPHRASE: 'Our Network',
      },
    ],
  ])('never configures %s, since test keys would move real money', (_, variables) =>
    expect(problemsOf(variables)).toEqual([
      { variable: 'QUITTANCE_TESTNET_PASSPHRASE', expected: 'that of another network than the mainnet' },
    ]),
  )
})
