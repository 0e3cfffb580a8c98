export { Buffer } from 'buffer/'
