import type { DeclaredRoute } from '../wire/auth.ts'
import type { Operator } from './operator.ts'
import { quietApp } from './quiet-app.ts'

/** All routes, including those of the sandbox. */
export const declaredRoutes = async ({ platform }: Operator): Promise<ReadonlyArray<DeclaredRoute>> => {
  if (platform.sandbox === null) throw new Error('there is no sandbox')
  const { routes } = await quietApp(platform, platform.sandbox)
  return routes
}
