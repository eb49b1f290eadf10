;; A band of tiles: up to 16 rows of gray pixels made black and white, and what each tile of 32 pixels across holds.
;; tile-band.wasm is this file, put into bytes by `wat2wasm tile-band.wat` of wabt; a test compares them.
(module
  (memory (export "memory") 1)

  ;; The sum of sixteen bytes.
  (func $sum (param $bytes v128) (result i32)
    (local $sums v128)
    (local.set $sums (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $bytes))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
      (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))

  ;; One bit for each byte of a mask, the first byte's highest.
  (func $bits (param $mask v128) (result i32)
    (i8x16.bitmask
      (i8x16.shuffle 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 (local.get $mask) (local.get $mask))))

  ;; Lane 0 holds the lowest of the first eight bytes, lane 8 that of the others.
  (func $lowest (param $bytes v128) (result v128)
    (local.set $bytes (i8x16.min_u (local.get $bytes)
      (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $bytes) (local.get $bytes))))
    (local.set $bytes (i8x16.min_u (local.get $bytes)
      (i8x16.shuffle 2 3 0 1 6 7 4 5 10 11 8 9 14 15 12 13 (local.get $bytes) (local.get $bytes))))
    (i8x16.min_u (local.get $bytes)
      (i8x16.shuffle 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 (local.get $bytes) (local.get $bytes))))

  ;; Stores the lowest of each eight of 32 bytes, four bytes in all.
  (func $storeLowest (param $at i32) (param $left v128) (param $right v128)
    (local.set $left (call $lowest (local.get $left)))
    (local.set $right (call $lowest (local.get $right)))
    (i32.store8 (local.get $at) (i8x16.extract_lane_u 0 (local.get $left)))
    (i32.store8 offset=1 (local.get $at) (i8x16.extract_lane_u 8 (local.get $left)))
    (i32.store8 offset=2 (local.get $at) (i8x16.extract_lane_u 0 (local.get $right)))
    (i32.store8 offset=3 (local.get $at) (i8x16.extract_lane_u 8 (local.get $right))))

  ;; Pixels are bytes, 32 * $across of them a row; $words takes one word a tile and row. $counts takes 16-bit numbers:
  ;; for each tile the pixels darker than $paper, then for each those darker than $ink, then those of 64 to 191.
  ;; $ranges takes bytes, one for each block of 8 pixels across and 8 rows: the lowest tones of the upper blocks, those of
  ;; the lower ones, then of both what the highest tones lack of 255.
  (func (export "threshold")
    (param $pixels i32) (param $across i32) (param $rows i32) (param $ink i32) (param $paper i32)
    (param $words i32) (param $counts i32) (param $ranges i32)
    (local $range i32) (local $lowLeft v128) (local $lowRight v128) (local $lackLeft v128) (local $lackRight v128)
    (local $tile i32) (local $row i32) (local $from i32) (local $to i32) (local $count i32)
    (local $left v128) (local $right v128) (local $leftInk v128) (local $rightInk v128)
    (local $inkLevel v128) (local $paperLevel v128)
    (local $toned v128) (local $inked v128) (local $middle v128)
    (local.set $inkLevel (i8x16.splat (local.get $ink)))
    (local.set $paperLevel (i8x16.splat (local.get $paper)))
    (loop $tiles
      (local.set $from (i32.add (local.get $pixels) (i32.shl (local.get $tile) (i32.const 5))))
      (local.set $to (i32.add (local.get $words) (i32.shl (local.get $tile) (i32.const 2))))
      (local.set $row (local.get $rows))
      (local.set $toned (v128.const i64x2 0 0))
      (local.set $inked (v128.const i64x2 0 0))
      (local.set $middle (v128.const i64x2 0 0))
      (local.set $range (i32.add (local.get $ranges) (i32.shl (local.get $tile) (i32.const 2))))
      (local.set $lowLeft (v128.const i64x2 -1 -1))
      (local.set $lowRight (v128.const i64x2 -1 -1))
      (local.set $lackLeft (v128.const i64x2 -1 -1))
      (local.set $lackRight (v128.const i64x2 -1 -1))
      (loop $down
        (local.set $left (v128.load (local.get $from)))
        (local.set $right (v128.load offset=16 (local.get $from)))
        (local.set $lowLeft (i8x16.min_u (local.get $lowLeft) (local.get $left)))
        (local.set $lowRight (i8x16.min_u (local.get $lowRight) (local.get $right)))
        (local.set $lackLeft (i8x16.min_u (local.get $lackLeft) (v128.not (local.get $left))))
        (local.set $lackRight (i8x16.min_u (local.get $lackRight) (v128.not (local.get $right))))
        (if (i8x16.all_true (i8x16.eq (v128.and (local.get $left) (local.get $right)) (v128.const i64x2 -1 -1)))
          (then (i32.store (local.get $to) (i32.const 0)))
          (else
            (local.set $leftInk (i8x16.lt_u (local.get $left) (local.get $inkLevel)))
            (local.set $rightInk (i8x16.lt_u (local.get $right) (local.get $inkLevel)))
            (i32.store (local.get $to)
              (i32.or
                (i32.shl (call $bits (local.get $leftInk)) (i32.const 16))
                (call $bits (local.get $rightInk))))
            ;; Bytes of a mask are 0 or -1: taking them away counts, and 16 rows of two are no more than a byte holds.
            (local.set $inked
              (i8x16.sub (i8x16.sub (local.get $inked) (local.get $leftInk)) (local.get $rightInk)))
            (local.set $toned
              (i8x16.sub
                (i8x16.sub (local.get $toned) (i8x16.lt_u (local.get $left) (local.get $paperLevel)))
                (i8x16.lt_u (local.get $right) (local.get $paperLevel))))
            (local.set $middle
              (i8x16.sub
                (i8x16.sub (local.get $middle)
                  (i8x16.ge_s (i8x16.sub (local.get $left) (v128.const i8x16 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64))
                    (v128.const i64x2 0 0)))
                (i8x16.ge_s (i8x16.sub (local.get $right) (v128.const i8x16 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64))
                  (v128.const i64x2 0 0))))))
        ;; After eight rows, and after the last one, a row of blocks is done.
        (if (i32.or
              (i32.eq (local.get $row) (i32.const 1))
              (i32.eq (i32.sub (local.get $rows) (local.get $row)) (i32.const 7)))
          (then
            (call $storeLowest (local.get $range) (local.get $lowLeft) (local.get $lowRight))
            (call $storeLowest (i32.add (local.get $range) (i32.shl (local.get $across) (i32.const 3)))
              (local.get $lackLeft) (local.get $lackRight))
            (local.set $range (i32.add (local.get $range) (i32.shl (local.get $across) (i32.const 2))))
            (local.set $lowLeft (v128.const i64x2 -1 -1))
            (local.set $lowRight (v128.const i64x2 -1 -1))
            (local.set $lackLeft (v128.const i64x2 -1 -1))
            (local.set $lackRight (v128.const i64x2 -1 -1))))
        (local.set $from (i32.add (local.get $from) (i32.shl (local.get $across) (i32.const 5))))
        (local.set $to (i32.add (local.get $to) (i32.shl (local.get $across) (i32.const 2))))
        (br_if $down (local.tee $row (i32.sub (local.get $row) (i32.const 1)))))
      (local.set $count (i32.add (local.get $counts) (i32.shl (local.get $tile) (i32.const 1))))
      (i32.store16 (local.get $count) (call $sum (local.get $toned)))
      (local.set $count (i32.add (local.get $count) (i32.shl (local.get $across) (i32.const 1))))
      (i32.store16 (local.get $count) (call $sum (local.get $inked)))
      (local.set $count (i32.add (local.get $count) (i32.shl (local.get $across) (i32.const 1))))
      (i32.store16 (local.get $count) (call $sum (local.get $middle)))
      (br_if $tiles
        (i32.lt_u (local.tee $tile (i32.add (local.get $tile) (i32.const 1))) (local.get $across))))))
