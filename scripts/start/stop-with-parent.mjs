// The start script holds the other end of the channel: when it is killed outright, the gateway must not live on alone.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
