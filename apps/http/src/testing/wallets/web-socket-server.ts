import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/** A page that is connected. */
export type Peer = { readonly send: (text: string) => void }

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const [TEXT, CLOSE, PING, PONG] = [0x1, 0x8, 0x9, 0xa]

const frameOf = (opcode: number, content: Buffer): Buffer => {
  const { length } = content
  const short = Buffer.from([0x80 | opcode, Math.min(length, 126)])
  if (length < 126) return Buffer.concat([short, content])
  const size = Buffer.alloc(2)
  size.writeUInt16BE(length)
  return Buffer.concat([short, size, content])
}

type Frame = { readonly opcode: number; readonly content: Buffer; readonly rest: Buffer }

/** The first frame of what has arrived; null while it is not complete. Pages mask their frames, and here send short ones. */
const readFrame = (bytes: Buffer): Frame | null => {
  if (bytes.length < 2) return null
  const stated = bytes.readUInt8(1) & 0x7f
  const [from, isLong] = stated === 126 ? [4, true] : [2, false]
  if (stated === 127) throw new Error('A frame is longer than anything that is sent here')
  if (bytes.length < from) return null
  const length = isLong ? bytes.readUInt16BE(2) : stated
  if (bytes.length < from + 4 + length) return null
  const mask = bytes.subarray(from, from + 4)
  const content = bytes.subarray(from + 4, from + 4 + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
  return { opcode: bytes.readUInt8(0) & 0xf, content: Buffer.from(content), rest: bytes.subarray(from + 4 + length) }
}

/** Reads the frames of one connection. */
const listenTo = (socket: Duplex, onText: (text: string) => void): void => {
  let waiting: Buffer = Buffer.alloc(0)
  socket.on('data', (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes])
    for (let frame = readFrame(waiting); frame !== null; frame = readFrame(waiting)) {
      waiting = frame.rest
      if (frame.opcode === TEXT) onText(frame.content.toString('utf8'))
      if (frame.opcode === PING) socket.write(frameOf(PONG, frame.content))
      if (frame.opcode === CLOSE) socket.end(frameOf(CLOSE, frame.content))
    }
  })
  socket.on('error', () => socket.destroy())
}

/** A server of WebSockets on this machine. `connected` is told the path of each connection, and answers what hears it. */
export const startWebSocketServer = async (connected: (peer: Peer, path: string) => (text: string) => void) => {
  const sockets = new Set<Duplex>()
  const server = createServer()
  server.on('upgrade', ({ headers, url = '' }, socket) => {
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${MAGIC}`).digest('base64')
    const answer = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade']
    socket.write(`${[...answer, `sec-websocket-accept: ${accept}`].join('\r\n')}\r\n\r\n`)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    listenTo(socket, connected({ send: (text) => void socket.write(frameOf(TEXT, Buffer.from(text))) }, url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
