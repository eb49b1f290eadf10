;; How PDFium lays a row of a mask, which glyphs are, on a row of grey or of another mask: 8 pixels at a step.
;; lay-masks.wasm is this file, put into bytes by `wat2wasm lay-masks.wat` of wabt; a test compares them.
;; quick-masks.ts puts it in front of PDFium's own code (CFX_ScanlineCompositor::CompositeByteMaskLine), which has these
;; parameters and 23 locals: what is not done here, that does.
(module
  (memory (export "memory") 1)

  ;; $compositor holds the formats of mask and row in 16 bits each, from byte 16 on the grey (where the row is grey) and the
  ;; alpha, at 20 what the row is (1 grey, 2 a mask), at 28 whether colours are turned round. $dest, $mask and $clip hold an
  ;; address and a length in bytes.
  (func (export "lay") (param $compositor i32) (param $dest i32) (param $mask i32) (param $width i32) (param $clip i32)
    (local i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i64 i64 i64)
    (local $to i32) (local $from i32) (local $end i32) (local $left i32) (local $room i64) (local $pixels i64)
    (local $isGrey i32) (local $grey v128) (local $alpha v128) (local $share v128) (local $row v128) (local $laid v128)
    (block $other
      (br_if $other (i32.ne (i32.load16_u (local.get $compositor)) (i32.const 0x108)))
      (br_if $other (i32.load8_u offset=28 (local.get $compositor)))
      (br_if $other (i32.load offset=4 (local.get $clip)))
      (br_if $other (i32.le_s (local.get $width) (i32.const 0)))
      (br_if $other (i32.lt_u (i32.load offset=4 (local.get $mask)) (local.get $width)))
      (if (i32.eq (i32.load16_u offset=2 (local.get $compositor)) (i32.const 8))
        (then
          (br_if $other (i32.ne (i32.load8_u offset=20 (local.get $compositor)) (i32.const 1)))
          (local.set $isGrey (i32.const 1))
          (local.set $grey (i16x8.splat (i32.load8_u offset=16 (local.get $compositor))))
          (local.set $alpha (i16x8.splat (i32.load8_u offset=17 (local.get $compositor)))))
        (else
          (br_if $other (i32.ne (i32.load16_u offset=2 (local.get $compositor)) (i32.const 0x108)))
          (br_if $other (i32.ne (i32.load8_u offset=20 (local.get $compositor)) (i32.const 2)))
          (local.set $alpha (i16x8.splat (i32.load8_u offset=16 (local.get $compositor))))))
      (local.set $to (i32.load (local.get $dest)))
      (local.set $from (i32.load (local.get $mask)))
      (local.set $end (i32.add (local.get $from) (local.get $width)))
      ;; The last step looks at eight pixels too, and leaves those beyond the row as they are: there must be memory.
      (local.set $room
        (i64.sub (i64.shl (i64.extend_i32_u (memory.size)) (i64.const 16))
          (i64.add (i64.extend_i32_u (local.get $width)) (i64.const 7))))
      (br_if $other (i64.gt_s (i64.extend_i32_u (local.get $to)) (local.get $room)))
      (br_if $other (i64.gt_s (i64.extend_i32_u (local.get $from)) (local.get $room)))
      (loop $across
        (local.set $pixels (i64.load align=1 (local.get $from)))
        (local.set $left (i32.sub (local.get $end) (local.get $from)))
        (if (i32.lt_u (local.get $left) (i32.const 8))
          (then
            (local.set $pixels
              (i64.and (local.get $pixels)
                (i64.shr_u (i64.const -1)
                  (i64.extend_i32_u (i32.sub (i32.const 64) (i32.shl (local.get $left) (i32.const 3)))))))))
        ;; Of numbers up to 65,025, n / 255 rounded down is (n + 1 + n / 256) / 256 rounded down.
        (if (i64.ne (local.get $pixels) (i64.const 0))
          (then
            (local.set $share
              (i16x8.mul (i16x8.extend_low_i8x16_u (i64x2.splat (local.get $pixels))) (local.get $alpha)))
            (local.set $share
              (i16x8.shr_u
                (i16x8.add
                  (i16x8.add (local.get $share) (i16x8.shr_u (local.get $share) (i32.const 8)))
                  (v128.const i16x8 1 1 1 1 1 1 1 1))
                (i32.const 8)))
            (local.set $row (v128.load8x8_u align=1 (local.get $to)))
            (local.set $laid
              (select (result v128)
                (i16x8.add
                  (i16x8.mul (local.get $row)
                    (i16x8.sub (v128.const i16x8 255 255 255 255 255 255 255 255) (local.get $share)))
                  (i16x8.mul (local.get $grey) (local.get $share)))
                (i16x8.mul (local.get $row) (local.get $share))
                (local.get $isGrey)))
            (local.set $laid
              (i16x8.shr_u
                (i16x8.add
                  (i16x8.add (local.get $laid) (i16x8.shr_u (local.get $laid) (i32.const 8)))
                  (v128.const i16x8 1 1 1 1 1 1 1 1))
                (i32.const 8)))
            (if (i32.eqz (local.get $isGrey))
              (then
                (local.set $laid
                  (i16x8.sub (i16x8.add (local.get $row) (local.get $share)) (local.get $laid)))))
            (v128.store64_lane align=1 0
              (local.get $to) (i8x16.narrow_i16x8_u (local.get $laid) (local.get $laid)))))
        (local.set $to (i32.add (local.get $to) (i32.const 8)))
        (br_if $across
          (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 8))) (local.get $end))))
      (return))))
