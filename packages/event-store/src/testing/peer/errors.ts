import { Metadata, type StatusObject, status } from '@grpc/grpc-js'

/** The status and trailers that end a call. */
type Failure = Pick<StatusObject, 'code' | 'details' | 'metadata'>

const failure = (code: status, details: string, trailers: Readonly<Record<string, string>> = {}): Failure => {
  const metadata = new Metadata()
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value)
  return { code, details, metadata }
}

export const unavailable = failure(status.UNAVAILABLE, 'Server Is Not Ready')
export const unknownFailure = failure(status.UNKNOWN, 'The peer was told to fail')
export const accessDenied = failure(status.UNAUTHENTICATED, 'Access Denied')
export const invalidArgument = (details: string): Failure => failure(status.INVALID_ARGUMENT, details)

/** The trailers that name the leader. */
export const notLeader = (host: string, port: number): Failure =>
  failure(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  })
