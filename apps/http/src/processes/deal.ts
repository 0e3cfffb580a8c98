import { createServer, type Server, type Socket } from 'node:net'

/** Takes a connection, of which nothing has been read. */
export type Take = (connection: Socket) => void

/** A server that gives its connections to each of some takers in turn. */
export const dealing = (takers: () => ReadonlyArray<Take>): Server => {
  let turn = 0
  return createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (connection) => {
    const all = takers()
    turn = (turn + 1) % all.length
    all[turn]?.(connection)
  })
}
