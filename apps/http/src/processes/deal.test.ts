import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { adopting } from './adopt.ts'
import { dealing, type Take } from './deal.ts'

const portOf = (address: ReturnType<ReturnType<typeof createServer>['address']>): number =>
  typeof address === 'object' && address !== null ? address.port : 0

describe('connections that are dealt out', () => {
  const answering = async (name: string) => {
    const server = createServer((_, response) => response.end(name)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, ...adopting(server) }
  }
  const asked = async (port: number): Promise<string> => {
    const [response] = await once(get({ port, host: '127.0.0.1', agent: false }), 'response')
    return text(response)
  }

  it('are answered by each taker in turn, and by one that comes later', async () => {
    const [one, two, three] = [await answering('one'), await answering('two'), await answering('three')]
    const takers: Array<Take> = [one.adopt, two.adopt]
    const front = dealing(() => takers).listen(0, '127.0.0.1')
    await once(front, 'listening')
    const port = portOf(front.address())
    expect([await asked(port), await asked(port), await asked(port)]).toEqual(['two', 'one', 'two'])
    takers.push(three.adopt)
    const answers = [await asked(port), await asked(port), await asked(port)]
    expect(answers.toSorted()).toEqual(['one', 'three', 'two'])
    for (const server of [front, one.server, two.server, three.server]) server.close()
  })

  it('are waited for until they have ended', async () => {
    const { server, adopt, ended } = await answering('one')
    const front = dealing(() => [adopt]).listen(0, '127.0.0.1')
    await once(front, 'listening')
    const socket = connect(portOf(front.address()), '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await once(socket, 'data')
    let hasEnded = false
    const waited = ended().then(() => {
      hasEnded = true
    })
    expect(hasEnded).toBe(false)
    socket.destroy()
    await waited
    front.close()
    server.close()
  })
})
