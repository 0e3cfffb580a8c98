import { launch } from '@quittance/host/launch'

await launch('http', () => import('./program.ts'))
