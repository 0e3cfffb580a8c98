import type { Client, Request } from './client.ts'
import type { Service } from './service.ts'

/** The secret of a session of the sandbox's owner, which is new. */
export const ownersSession = async ({ anyone }: Pick<Service, 'anyone'>): Promise<string> => {
  const { headers } = await anyone('/session/sandbox', { method: 'POST' })
  return headers.get('set-cookie')?.split(';')[0]?.split('=')[1] ?? ''
}

/** Sends requests as a member of the team. */
export const memberClient =
  ({ anyone }: Pick<Service, 'anyone'>, session: string): Client =>
  (path: string, request: Request = {}) =>
    anyone(path, { ...request, headers: { 'x-session-token': session, ...request.headers } })
