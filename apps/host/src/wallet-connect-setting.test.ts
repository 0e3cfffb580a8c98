import { configFrom } from './config.ts'

const projectId = '0123456789abcdef0123456789abcdef'
const read = (variables: Readonly<Record<string, string>>) => configFrom(variables)

describe('the relay of wallets on other devices', () => {
  it('is none, unless the operator has a name at one', () =>
    expect(read({})).toMatchObject({ right: { walletConnect: null } }))

  it('is the official one, unless another one is named', () => {
    const named = { QUITTANCE_WALLETCONNECT_PROJECT_ID: projectId }
    expect(read(named)).toMatchObject({
      right: { walletConnect: { projectId, relayUrl: 'wss://relay.walletconnect.org' } },
    })
    expect(read({ ...named, QUITTANCE_WALLETCONNECT_RELAY_URL: 'wss://relay.example/' })).toMatchObject({
      right: { walletConnect: { projectId, relayUrl: 'wss://relay.example' } },
    })
    expect(read({ ...named, QUITTANCE_WALLETCONNECT_RELAY_URL: 'ws://127.0.0.1:5000' })).toMatchObject({
      right: { walletConnect: { projectId, relayUrl: 'ws://127.0.0.1:5000' } },
    })
  })

  it.each(['https://relay.example', 'ws://relay.example', 'ws://127.0.0.1.example', 'wss://', 'relay.example'])(
    'is not at %s',
    (relayUrl) =>
      expect(
        read({ QUITTANCE_WALLETCONNECT_PROJECT_ID: projectId, QUITTANCE_WALLETCONNECT_RELAY_URL: relayUrl }),
      ).toEqual({ _tag: 'Left', left: [{ variable: 'QUITTANCE_WALLETCONNECT_RELAY_URL', expected: 'a wss address' }] }),
  )

  it('has a name of 32 hex digits', () =>
    expect(read({ QUITTANCE_WALLETCONNECT_PROJECT_ID: 'mine' })).toEqual({
      _tag: 'Left',
      left: [{ variable: 'QUITTANCE_WALLETCONNECT_PROJECT_ID', expected: '32 hex digits' }],
    }))

  it('is not named without the name', () =>
    expect(read({ QUITTANCE_WALLETCONNECT_RELAY_URL: 'wss://relay.example' })).toEqual({
      _tag: 'Left',
      left: [
        {
          variable: 'QUITTANCE_WALLETCONNECT_RELAY_URL',
          expected: 'unset, since QUITTANCE_WALLETCONNECT_PROJECT_ID is',
        },
      ],
    }))
})
