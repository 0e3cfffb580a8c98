export { stopDatabases as default } from '@quittance/event-store/postgres/testing/databases'
