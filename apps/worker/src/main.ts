import { launch } from '@quittance/host/launch'

await launch('worker', () => import('./program.ts'))
