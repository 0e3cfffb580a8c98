import type { RouteContext } from './route.ts'

export const healthRoutes = ({ server }: RouteContext): void => {
  server.get('/health', async () => ({ status: 'ok' }))
}
