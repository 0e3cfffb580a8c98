export { buildFixture, type Fixture } from './fixture.ts'
export { type Run, simulate } from './simulate.ts'
