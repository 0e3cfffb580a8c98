import { startWebSocketServer } from './web-socket-server.ts'

type Call = { readonly id: number | string; readonly method?: string; readonly params?: Params }
type Params = {
  readonly topic?: string
  readonly topics?: ReadonlyArray<string>
  readonly message?: string
  readonly pairingTopic?: string
  readonly sessionProposal?: string
}

/** Hears what others publish under a topic. */
type Ear = (topic: string, message: string) => void

/**
 * A relay of WalletConnect: it passes on what one end publishes under a topic to those who have subscribed to it, and sees
 * none of it in the clear. Source: WalletConnect specifications, "Relay RPC".
 */
export const startRelay = async () => {
  const ears = new Map<string, Set<Ear>>()
  const kept = new Map<string, Array<string>>()
  const projects: Array<string | null> = []
  let deliveries = 0

  const subscribe = (topic: string, ear: Ear): void => {
    ears.set(topic, (ears.get(topic) ?? new Set()).add(ear))
    for (const message of kept.get(topic) ?? []) ear(topic, message)
    kept.delete(topic)
  }
  const publish = (topic: string, message: string, from: Ear): void => {
    const others = [...(ears.get(topic) ?? [])].filter((ear) => ear !== from)
    if (others.length === 0) kept.set(topic, [...(kept.get(topic) ?? []), message])
    for (const ear of others) ear(topic, message)
  }

  const resultOf = (method: string, params: Params, ear: Ear): unknown => {
    const { topic = '', topics = [], message = '', pairingTopic = '', sessionProposal = '' } = params
    switch (method) {
      case 'irn_subscribe':
        subscribe(topic, ear)
        return topic
      case 'irn_batchSubscribe':
        for (const each of topics) subscribe(each, ear)
        return topics
      case 'irn_unsubscribe':
        ears.get(topic)?.delete(ear)
        return true
      case 'irn_publish':
        publish(topic, message, ear)
        return true
      case 'wc_proposeSession':
        subscribe(pairingTopic, ear)
        publish(pairingTopic, sessionProposal, ear)
        return true
      case 'irn_fetchMessages':
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false }
      default:
        throw new Error(`The relay has no method ${method}`)
    }
  }

  const server = await startWebSocketServer((peer, path) => {
    projects.push(new URL(path, 'ws://relay').searchParams.get('projectId'))
    const ear: Ear = (topic, message) => {
      deliveries += 1
      const data = { topic, message, publishedAt: Date.now(), tag: 0 }
      const call = { id: deliveries, jsonrpc: '2.0', method: 'irn_subscription', params: { id: topic, data } }
      peer.send(JSON.stringify(call))
    }
    return (text) => {
      const { id, method, params = {} }: Call = JSON.parse(text)
      if (method === undefined) return
      peer.send(JSON.stringify({ id, jsonrpc: '2.0', result: resultOf(method, params, ear) }))
    }
  })
  return { url: server.url, projects, subscribe, publish, close: server.close }
}

export type Relay = Awaited<ReturnType<typeof startRelay>>
