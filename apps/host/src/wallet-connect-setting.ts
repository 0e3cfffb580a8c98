import { matching, type Read, type Settings } from './settings.ts'

/** How pages of payers speak with wallets on other devices. */
export type WalletConnectRelay = {
  /** The operator's name at the relay. */
  readonly projectId: string
  readonly relayUrl: string
}

const officialRelay = 'wss://relay.walletconnect.org'

/** The address of a relay without its final slash. Without encryption, only on this machine. */
const relayUrl: Read<string> = (text) =>
  /^(wss:\/\/[^/]|ws:\/\/(127\.0\.0\.1|localhost|\[::1\])([:/]|$))/.test(text) && URL.canParse(text)
    ? text.replace(/\/+$/, '')
    : null

/** Null: no wallet on another device is offered. */
export const walletConnectIn = ({ read, isSet, complain }: Settings): WalletConnectRelay | null => {
  const projectId = read<string | null>('WALLETCONNECT_PROJECT_ID', '32 hex digits', matching(/^[0-9a-f]{32}$/), null)
  const relay = read('WALLETCONNECT_RELAY_URL', 'a wss address', relayUrl, officialRelay)
  if (projectId === null && isSet('WALLETCONNECT_RELAY_URL') && !isSet('WALLETCONNECT_PROJECT_ID'))
    complain({
      variable: 'QUITTANCE_WALLETCONNECT_RELAY_URL',
      expected: 'unset, since QUITTANCE_WALLETCONNECT_PROJECT_ID is',
    })
  return projectId === null ? null : { projectId, relayUrl: relay }
}
