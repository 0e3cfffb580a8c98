import { Channel, ChannelState, channelOf } from '@quittance/domain'
import { stateModel } from './state-model.ts'

/** Listed by account and epoch of its network, the highest sequence number first. */
export const channels = stateModel({
  name: 'channels',
  version: 2,
  aggregate: Channel,
  record: ChannelState,
  columns: ({ status }, id) => ({ listedUnder: channelOf(id).line, status }),
})
